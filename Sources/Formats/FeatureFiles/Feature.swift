package import Geo

/// One feature of a GeoJSON file as it is being read.
package struct Feature {
    /// More positions than this are not collected; the feature is refused.
    package static let mostPositions = 100_000
    /// Properties beyond so many bytes are not collected; the feature is refused.
    package static let mostPropertyBytes = 256 << 10
    /// Lists beyond so many are passed over.
    package static let mostLists = 50

    /// Counted from 1.
    package let number: UInt64
    /// The member "id" of the feature itself.
    package var id: String?
    package private(set) var properties: [(key: String, value: String)] = []
    /// Those that it is in.
    package private(set) var lists: [FeatureList] = []
    package private(set) var positions: [Geo.Coordinate] = []
    /// The first error found in it.
    package private(set) var problem: RowProblem?
    /// Whether it is the track of a way, whose positions are not collected.
    package internal(set) var isLine = false
    private var propertyBytes = 0

    package init(number: UInt64) { self.number = number }

    package mutating func note(_ reason: String) { problem = problem ?? RowProblem(reason) }

    package mutating func add(property key: String, _ value: String) {
        if hasRoom(for: key, value), !value.isEmpty { properties.append((key, value)) }
    }

    mutating func add(list: FeatureList) {
        guard lists.count < Self.mostLists, hasRoom(for: list.name, list.colour), !list.name.isEmpty else { return }
        if !lists.contains(list) { lists.append(list) }
    }

    private mutating func hasRoom(for key: String, _ value: String) -> Bool {
        propertyBytes += key.utf8.count + value.utf8.count
        if propertyBytes <= Self.mostPropertyBytes { return true }
        note("its properties take more than \(Self.mostPropertyBytes) bytes")
        return false
    }

    package mutating func add(position: [Double]) {
        guard position.count >= 2 else { return note("a position has \(position.count) numbers, 2 are needed") }
        // "24,9384,60,1699": decimal commas make more numbers, and the first two another place. A fourth may be a
        // measure, which has decimals or is large.
        guard position.count <= 3 || position.contains(where: { $0 != $0.rounded() }) else {
            return note("a position has \(position.count) whole numbers, and commas may stand for decimal points")
        }
        guard positions.count < Self.mostPositions else {
            return note("its geometry has more than \(Self.mostPositions) positions")
        }
        do throws(GeoError) {
            positions.append(try Geo.Coordinate(latitude: position[1], longitude: position[0]))
        } catch {
            note(error.description)
        }
    }

    /// Its position: the point itself, or for lines and areas the middle of the smallest box around them.
    package var position: Geo.Coordinate? { positions.count == 1 ? positions[0] : Box(around: positions)?.centre }
}
