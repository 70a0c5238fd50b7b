package import FeatureFiles
package import Geo

/// A track, a route or a line as a file says it.
package struct TrackRecord: Equatable, Sendable {
    package var name = ""
    /// The lists that it is in.
    package var lists: [FeatureList] = []
    /// As `FeatureList.colour`; empty when the file says none of its own.
    package var colour = ""
    /// Its pieces, each of two positions or more.
    package var parts: [[Coordinate]]

    package init(parts: [[Coordinate]]) { self.parts = parts }

    package var pointCount: Int { parts.reduce(0) { $0 + $1.count } }
}
