package import Geo

/// One feature of a GeoJSON file as it is being read.
package struct Feature {
    /// More positions than this are not collected; the feature is refused.
    package static let maximumPositions = 100_000
    /// Properties beyond so many bytes are not collected; the feature is refused.
    package static let maximumPropertyBytes = 256 << 10
    /// Lists beyond so many are passed over.
    package static let maximumLists = 50

    /// Counted from 1.
    package let number: UInt64
    /// The member "id" of the feature itself.
    package var id: String?
    package private(set) var properties: [(key: String, value: String)] = []
    /// Those that it is in.
    package private(set) var lists: [FeatureList] = []
    /// Its points, lines and areas, in the order of the file.
    package private(set) var shapes: [FeatureShape] = []
    /// The first error found in it.
    package private(set) var problem: RowProblem?
    private var propertyBytes = 0
    private var positionCount = 0

    package init(number: UInt64) { self.number = number }

    package mutating func refuse(_ reason: String) { problem = problem ?? RowProblem(reason) }

    package mutating func add(property key: String, _ value: String) {
        if hasRoom(for: key, value), !value.isEmpty { properties.append((key, value)) }
    }

    mutating func add(list: FeatureList) {
        guard lists.count < Self.maximumLists, hasRoom(for: list.name, list.colour), !list.name.isEmpty else { return }
        if !lists.contains(list) { lists.append(list) }
    }

    private mutating func hasRoom(for key: String, _ value: String) -> Bool {
        propertyBytes += key.utf8.count + value.utf8.count
        if propertyBytes <= Self.maximumPropertyBytes { return true }
        refuse("its properties take more than \(Self.maximumPropertyBytes) bytes")
        return false
    }

    /// A point, a line or an area begins, whose positions follow. Empty ones have a bound too.
    mutating func begin(_ kind: FeatureShape.Kind) {
        guard shapes.count < Self.maximumPositions else {
            return refuse("its geometry has more than \(Self.maximumPositions) parts")
        }
        shapes.append(FeatureShape(kind))
    }

    /// Adds a position to the shape that began last.
    mutating func add(position: [Double]) {
        if let point = checked(position) { shapes[shapes.count - 1].positions.append(point) }
    }

    /// Nil for what is no position, which is noted.
    private mutating func checked(_ position: [Double]) -> Geo.Coordinate? {
        guard position.count >= 2 else {
            refuse("a position has \(position.count) numbers, 2 are needed")
            return nil
        }
        // "24,9384,60,1699": decimal commas make more numbers, and the first two another place. A fourth may be a
        // measure, which has decimals or is large.
        guard position.count <= 3 || position.contains(where: { $0 != $0.rounded() }) else {
            refuse("a position has \(position.count) whole numbers, and commas may stand for decimal points")
            return nil
        }
        positionCount += 1
        guard positionCount <= Self.maximumPositions else {
            refuse("its geometry has more than \(Self.maximumPositions) positions")
            return nil
        }
        if shapes.isEmpty { begin(.point) }
        do throws(GeoError) {
            return try Geo.Coordinate(latitude: position[1], longitude: Self.wrapped(position[0]))
        } catch {
            refuse(error.description)
            return nil
        }
    }

    /// Degrees east in -180...180: a shape that crosses the antimeridian may go on beyond it, by one turn at most.
    private static func wrapped(_ longitude: Double) -> Double {
        guard longitude.magnitude > 180, longitude.magnitude <= 360 else { return longitude }
        return longitude < 0 ? longitude + 360 : longitude - 360
    }

    /// The point that it is, also where lines or areas stand beside it; nil when it is none, or several.
    package var point: Geo.Coordinate? {
        let points = shapes.filter { $0.kind == .point }.flatMap(\.positions)
        return points.count == 1 ? points[0] : nil
    }

    /// Where it is: its point, or else the middle of the smallest box around it.
    package var position: Geo.Coordinate? {
        point ?? Box(around: shapes.filter { $0.kind != .track }.flatMap(\.positions))?.centre
    }

    /// Its lines and tracks, each in its pieces, without those that are no line.
    package var lines: [[Geo.Coordinate]] {
        shapes.lazy.filter { ($0.kind == .line || $0.kind == .track) && $0.positions.count > 1 }.map(\.positions)
    }
}
