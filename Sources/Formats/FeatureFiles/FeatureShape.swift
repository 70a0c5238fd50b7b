package import Geo

/// A part of a feature's geometry.
package struct FeatureShape: Equatable, Sendable {
    package enum Kind: Sendable {
        case point, line
        /// A ring of an area.
        case area
        /// A line with times.
        case track
    }

    package let kind: Kind
    package internal(set) var points: [ShapePoint] = []
    /// Of a ring: whether it is a hole in the one before it that is none.
    package internal(set) var isHole = false

    init(_ kind: Kind, isHole: Bool = false) {
        self.kind = kind
        self.isHole = isHole
    }

    package var positions: [Geo.Coordinate] { points.map(\.position) }
}

/// A point of a line or a ring, with what its file says of it.
package struct ShapePoint: Equatable, Sendable {
    /// What is farther from the sea is no height.
    private static let maximumHeightMetres = 100_000.0

    package var position: Geo.Coordinate
    /// Above the sea.
    package var heightCentimetres: Int32?
    /// Since 1970.
    package var milliseconds: Int64?

    package init(_ position: Geo.Coordinate, heightCentimetres: Int32? = nil, milliseconds: Int64? = nil) {
        self.position = position
        self.heightCentimetres = heightCentimetres
        self.milliseconds = milliseconds
    }

    package static func centimetres(_ metres: Double) -> Int32? {
        metres.magnitude <= maximumHeightMetres ? Int32((metres * 100).rounded()) : nil
    }
}
