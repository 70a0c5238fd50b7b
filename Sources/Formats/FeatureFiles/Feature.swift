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
    /// The first error found in it. Points of lines that can't be read are left out, as long as most can.
    package var problem: RowProblem? { error ?? (leftOutCount >= keptCount ? leftOut : nil) }
    private var error: RowProblem?
    /// The first point that is left out, and how many are.
    package private(set) var leftOut: RowProblem?
    package private(set) var leftOutCount = 0
    private var keptCount = 0
    private var propertyBytes = 0
    private var positionCount = 0
    /// Whether the position that was given last could be read.
    private var hasPoint = false

    package init(number: UInt64) { self.number = number }

    package mutating func refuse(_ reason: String) { error = error ?? RowProblem(reason) }

    /// A position can't be read, which costs itself in a line or a ring, and else all.
    mutating func refuse(position reason: String) {
        hasPoint = false
        guard let kind = shapes.last?.kind, kind != .point else { return refuse(reason) }
        leftOutCount += 1
        leftOut = leftOut ?? RowProblem(reason)
    }

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
    mutating func begin(_ kind: FeatureShape.Kind, isHole: Bool = false) {
        guard shapes.count < Self.maximumPositions else {
            return refuse("its geometry has more than \(Self.maximumPositions) parts")
        }
        shapes.append(FeatureShape(kind, isHole: isHole))
    }

    /// Adds a position to the shape that began last: degrees east and north, and a height in metres where there is one.
    mutating func add(position: [Double]) {
        let point = checked(position)
        hasPoint = point != nil
        guard let point else { return }
        keptCount += 1
        let height = position.count > 2 ? ShapePoint.centimetres(position[2]) : nil
        shapes[shapes.count - 1].points.append(ShapePoint(point, heightCentimetres: height))
    }

    /// What is said of the position that was given last.
    mutating func add(height text: String) {
        guard let metres = DecimalNumber.parse(text) else { return }
        change { $0.heightCentimetres = ShapePoint.centimetres(metres) }
    }

    mutating func add(time text: String) { change { $0.milliseconds = FileTime.milliseconds(text) } }

    private mutating func change(_ body: (inout ShapePoint) -> Void) {
        guard hasPoint, let shape = shapes.indices.last, let point = shapes[shape].points.indices.last else { return }
        body(&shapes[shape].points[point])
    }

    /// The ring that began last is a hole.
    mutating func markHole() {
        if !shapes.isEmpty { shapes[shapes.count - 1].isHole = true }
    }

    /// The times of all points of its lines from the last `count` shapes on, in their order. Times that are more or
    /// fewer are of no use.
    mutating func set(times: [Int64?], ofLast count: Int = .max) {
        let lines = shapes.indices.suffix(count).filter { shapes[$0].kind == .line || shapes[$0].kind == .track }
        guard lines.reduce(0, { $0 + shapes[$1].points.count }) == times.count else { return }
        var rest = times[...]
        for line in lines {
            for point in shapes[line].points.indices {
                shapes[line].points[point].milliseconds = rest.removeFirst()
            }
        }
    }

    /// Nil for what is no position, which is noted.
    private mutating func checked(_ position: [Double]) -> Geo.Coordinate? {
        guard position.count >= 2 else {
            refuse(position: "a position has \(position.count) numbers, 2 are needed")
            return nil
        }
        // "24,9384,60,1699": decimal commas make more numbers, and the first two another place. A fourth may be a
        // measure, which has decimals or is large.
        guard position.count <= 3 || position.contains(where: { $0 != $0.rounded() }) else {
            refuse(position: "a position has \(position.count) whole numbers, and commas may stand for decimal points")
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
            refuse(position: error.description)
            return nil
        }
    }

    /// Degrees east in -180...180: a shape that crosses the antimeridian may go on beyond it, by one turn at most.
    private static func wrapped(_ longitude: Double) -> Double {
        guard longitude.magnitude > 180, longitude.magnitude <= 360 else { return longitude }
        return longitude < 0 ? longitude + 360 : longitude - 360
    }

    /// The points that it is, also where lines or areas stand beside them.
    package var points: [Geo.Coordinate] {
        shapes.count == 1 && shapes[0].kind != .point ? [] : shapes.filter { $0.kind == .point }.flatMap(\.positions)
    }

    /// The point that it is; nil when it is none, or several.
    package var point: Geo.Coordinate? {
        // Mostly it has nothing else.
        if shapes.count == 1, shapes[0].kind == .point, shapes[0].points.count == 1 {
            return shapes[0].points[0].position
        }
        let points = points
        return points.count == 1 ? points[0] : nil
    }

    /// Where it is: its point, or else the middle of the smallest box around it.
    package var position: Geo.Coordinate? {
        point ?? Box(around: shapes.filter { $0.kind != .track }.flatMap(\.positions))?.centre
    }
}
