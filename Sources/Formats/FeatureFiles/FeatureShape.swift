package import Geo

/// A part of a feature's geometry.
package struct FeatureShape: Equatable, Sendable {
    package enum Kind: Sendable {
        case point, line, area
        /// A line with times.
        case track
    }

    package let kind: Kind
    package internal(set) var positions: [Geo.Coordinate] = []

    init(_ kind: Kind) { self.kind = kind }
}
