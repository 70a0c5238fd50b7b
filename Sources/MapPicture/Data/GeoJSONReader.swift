import JSONStream

/// Reads the shapes of a GeoJSON FeatureCollection as Data/README.md describes it: polygons and lines.
final class GeoJSONReader: JSONVisitor {
    /// Longer steps than this, in degrees, are divided: on the globe they are no straight lines.
    private static let longestStep = 2.0

    private var shapes: [MapShape] = []
    private var depth = 0
    private var key = ""
    private var properties: [String: String] = [:]
    private var isArea = false
    private var numbers: [Double] = []
    private var ring: [MapPoint] = []
    private var rings: [[MapPoint]] = []

    /// Of shapes that don't name theirs.
    private let layer: String

    private init(layer: String) { self.layer = layer }

    /// The shapes of a file of a layer; `name` is for the error.
    static func shapes(_ bytes: [UInt8], _ name: String, layer: String) throws(MapProblem) -> [MapShape] {
        let reader = GeoJSONReader(layer: layer)
        let events = JSONEvents(reader)
        guard unsafe bytes.withUnsafeBytes({ unsafe events.feed($0) }), events.finish() else {
            throw .unreadable("\(name) is no map: \(events.problem)")
        }
        return reader.shapes
    }

    func startObject() -> Bool {
        depth += 1
        return true
    }

    func key(_ bytes: UnsafeRawBufferPointer) -> Bool {
        key = unsafe String(decoding: bytes, as: UTF8.self)
        return true
    }

    func endObject() -> Bool {
        depth -= 1
        // The end of a feature: the collection is the first object, the feature the second.
        if depth == 1 { endFeature() }
        return depth >= 0
    }

    func startArray() -> Bool { true }

    func endArray() -> Bool {
        if !numbers.isEmpty { return endPosition() }
        if !ring.isEmpty {
            rings.append(ring)
            ring = []
        }
        return true
    }

    func string(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        if key == "type" { isArea = text == "Polygon" } else { properties[key] = text }
        return true
    }

    func number(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard key == "coordinates" else { return true }
        guard let number = unsafe Double(String(decoding: bytes, as: UTF8.self)), abs(number) <= 181 else {
            return false
        }
        numbers.append(number)
        return numbers.count <= 3
    }

    func literal(_ literal: JSONLiteral) -> Bool { true }

    private func endPosition() -> Bool {
        guard numbers.count >= 2, abs(numbers[1]) <= 90 else { return false }
        let point = MapPoint(longitude: numbers[0], latitude: numbers[1])
        numbers.removeAll(keepingCapacity: true)
        if let last = ring.last { divide(from: last, to: point) }
        ring.append(point)
        return true
    }

    private func divide(from a: MapPoint, to b: MapPoint) {
        let (east, north) = (b.longitude - a.longitude, b.latitude - a.latitude)
        let steps = (max(abs(east), abs(north)) / Self.longestStep).rounded(.up)
        guard steps > 1 else { return }
        for step in stride(from: 1, to: steps, by: 1) {
            let share = step / steps
            ring.append(MapPoint(longitude: a.longitude + share * east, latitude: a.latitude + share * north))
        }
    }

    private func endFeature() {
        let shape = MapShape(
            layer: properties["layer"] ?? layer, kind: properties["class"] ?? "", name: properties["name"] ?? "",
            isArea: isArea, rings: rings)
        if let shape { shapes.append(shape) }
        (properties, rings, ring, numbers) = ([:], [], [], [])
    }
}
