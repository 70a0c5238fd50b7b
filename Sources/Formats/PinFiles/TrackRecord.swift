package import FeatureFiles
package import Geo

/// A track, a route, a line or an area as a file says it.
package struct TrackRecord: Equatable, Sendable {
    package enum Kind: Sendable {
        case line
        /// Its parts are rings, whose first point is their last one too.
        case area
    }

    package var kind = Kind.line
    package var name = ""
    /// The lists that it is in.
    package var lists: [FeatureList] = []
    /// As `FeatureList.colour`; empty when the file says none of its own.
    package var colour = ""
    /// Its pieces, each of two positions or more.
    package var parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    package var pointCount: Int { parts.reduce(0) { $0 + $1.points.count } }

    /// A piece of a line, or a ring of an area.
    package struct Part: Equatable, Sendable {
        package var points: [ShapePoint]
        /// Whether it is a hole in the ring before it that is none.
        package var isHole = false

        package init(_ points: [ShapePoint], isHole: Bool = false) {
            self.points = points
            self.isHole = isHole
        }

        package var positions: [Coordinate] { points.map(\.position) }
        var hasTimes: Bool { points.contains { $0.milliseconds != nil } }
        var hasHeights: Bool { points.contains { $0.heightCentimetres != nil } }
    }
}
