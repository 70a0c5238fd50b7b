internal import Bytes
internal import JSONStream
internal import Refusals

/// Picks the features out of GeoJSON (RFC 7946) as its text goes by: those of a FeatureCollection, a single one, or
/// several one after the other, as RFC 8142 and files with a feature in each line have them.
///
///     { "type": …, "features": [ { "id": …, "properties": { … }, "geometry": { "coordinates": [ … ] } } ] }
///     document                 list feature               properties          geometry        coordinates
///
/// Where properties are joined, "lists" is [ { "name": …, "colour": … } ], or names alone.
///
/// Every object and array that is open has its meaning on a stack; what is not needed is skipped.
final class FeatureVisitor: JSONVisitor {
    private enum Level {
        case document, list, feature, properties, pinLists, pinList, times, geometry, geometries, coordinates, crs
        case ignored
    }

    /// Objects and arrays inside each other.
    static let deepest = 64
    private static let longestText = 64 << 10

    /// Features that are complete and not fetched yet.
    private(set) var features: [Feature] = []
    /// Why the file as a whole is refused.
    private(set) var failure: String?
    /// Whether a list of features was seen, or a feature that stands alone.
    private(set) var hasFeatures = false
    /// Events so far, to notice a text that never ends a value.
    private(set) var events: UInt64 = 0

    private let joinsProperties: Bool
    private var levels: [Level] = []
    private var key = ""
    /// The properties that are open, in which there are others.
    private var path: [String] = []
    private var feature = Feature(number: 0)
    private(set) var count: UInt64 = 0
    /// Whether features stand alone, one after the other.
    var isSequence: Bool { hasFeatures && !hasList }
    /// Of the value at the outermost level: whether it has a list of features, and what of a feature it has itself.
    private var hasList = false
    private var isFeature = false
    /// Of a shape that stands alone, without a feature around it.
    private var isShape = false
    private static let shapes: Set<String> = [
        "point", "multipoint", "linestring", "multilinestring", "polygon", "multipolygon", "geometrycollection",
    ]
    private var pinList = FeatureList(name: "")
    /// Of the geometry that is open: what it is, and its positions.
    private var shapeType = ""
    private var positions: [[Double]] = []
    /// How many positions there were where arrays of them ended, and where arrays of such arrays did.
    private var ends: [Int] = []
    private var endsOfAreas: [Int] = []
    /// How many levels are open around a position.
    private var depth = 0
    /// Of the points of the feature's lines.
    private var times: [Int64?] = []
    /// What the coordinates are measured in.
    private var crs = CoordinateSystem.degrees
    private var position: [Double] = []
    private var hasPosition = false

    init(joinsProperties: Bool = false) { self.joinsProperties = joinsProperties }

    /// What is open can't be read to its end: the next value begins.
    func startAgain() {
        levels.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        endsOfAreas.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        (key, hasPosition, depth) = ("", false, 0)
        count += 1
    }

    /// Hands over what is complete.
    func takeFeatures() -> [Feature] {
        defer { features.removeAll(keepingCapacity: true) }
        return features
    }

    func startObject() -> Bool {
        switch (levels.last, key) {
        case (nil, _):
            (hasList, isFeature, isShape, shapeType) = (false, false, false, "")
            feature = Feature(number: count + 1)
            return open(.document)
        case (.list, _):
            feature = Feature(number: count + 1)
            return open(.feature)
        case (.document, "crs"), (.crs, "properties"): return open(.crs)
        case (.feature, "properties"), (.document, "properties"):
            path.removeAll(keepingCapacity: true)
            return open(.properties)
        case (.properties, let name) where joinsProperties:
            path.append(name)
            return open(.properties)
        case (.pinLists, _):
            pinList = FeatureList(name: "")
            return open(.pinList)
        case (.feature, "geometry"), (.document, "geometry"), (.geometries, _):
            shapeType = ""
            return open(.geometry)
        default: return open(.ignored)
        }
    }

    func startArray() -> Bool {
        switch (levels.last, key) {
        case (nil, _), (.document, "features"):
            (hasList, hasFeatures) = (true, true)
            return open(.list)
        case (.properties, "lists") where joinsProperties: return open(.pinLists)
        // As the readers of GPX for the web's maps write them (togeojson), those of today and of before.
        case (.properties, "coordTimes") where joinsProperties: return open(.times)
        case (.properties, "times") where joinsProperties: return open(.times)
        case (.times, _): return open(.times)
        case (.geometry, "geometries"), (.document, "geometries"): return open(.geometries)
        case (.geometry, "coordinates"), (.document, "coordinates"), (.coordinates, _):
            position.removeAll(keepingCapacity: true)
            hasPosition = false
            return open(.coordinates)
        default: return open(.ignored)
        }
    }

    func endObject() -> Bool {
        events += 1
        switch levels.popLast() {
        case .feature: add()
        case .document where (isFeature || isShape) && !hasList:
            if isShape { endGeometry() }
            hasFeatures = true
            add()
        case .properties: _ = path.popLast()
        case .geometry: endGeometry()
        case .pinList: feature.add(list: pinList)
        default: break
        }
        return true
    }

    private func add() {
        if !times.isEmpty {
            feature.set(times: times)
            times.removeAll(keepingCapacity: true)
        }
        features.append(feature)
        count += 1
    }

    func endArray() -> Bool {
        events += 1
        if levels.popLast() == .coordinates {
            if !hasPosition {
                if levels.count == depth - 1, ends.last != positions.count { ends.append(positions.count) }
                if levels.count == depth - 2, endsOfAreas.last != positions.count {
                    endsOfAreas.append(positions.count)
                }
                return true
            }
            depth = levels.count
            if positions.count <= Feature.maximumPositions {
                // More than a feature may have are noted by it, and not kept.
                positions.append(position)
            }
        }
        hasPosition = false
        return true
    }

    /// What the positions are is known only here: the type may stand behind them.
    private func endGeometry() {
        defer {
            ends.removeAll(keepingCapacity: true)
            endsOfAreas.removeAll(keepingCapacity: true)
            depth = 0
        }
        guard !positions.isEmpty else { return }
        let kind: FeatureShape.Kind =
            switch shapeType.asciiLowercased {
            case "point", "multipoint": .point
            case "polygon", "multipolygon": .area
            case "linestring", "multilinestring": .line
            default: positions.count == 1 ? .point : .line
            }
        feature.begin(kind)
        var (rest, areas) = (ends[...], endsOfAreas[...])
        for (index, position) in positions.enumerated() {
            // A line in several pieces, or the next ring: of the same area it is a hole.
            if kind != .point, index > 0, rest.first == index {
                feature.begin(kind, isHole: kind == .area && areas.first != index)
            }
            while let end = rest.first, end <= index { rest.removeFirst() }
            while let end = areas.first, end <= index { areas.removeFirst() }
            feature.add(position: crs.degrees(position))
        }
        positions.removeAll(keepingCapacity: true)
    }

    func key(_ bytes: UnsafeRawBufferPointer) -> Bool {
        events += 1
        guard let text = unsafe text(bytes) else { return fail("a member's name is no UTF-8, or too long") }
        key = text
        return true
    }

    func string(_ bytes: UnsafeRawBufferPointer) -> Bool {
        events += 1
        switch (levels.last, key) {
        case (.properties, _), (.feature, "id"), (.document, "id"):
            guard let text = unsafe text(bytes) else {
                feature.refuse("\(key.quoted) is no UTF-8, or longer than \(Self.longestText) bytes")
                return true
            }
            keep(text)
        case (.times, _): add(time: unsafe text(bytes).flatMap { FileTime.milliseconds($0) })
        case (.pinLists, _): feature.add(list: FeatureList(name: unsafe text(bytes) ?? ""))
        case (.pinList, "name"): pinList.name = unsafe text(bytes) ?? ""
        case (.pinList, "colour"): pinList.colour = unsafe text(bytes) ?? ""
        case (.document, "type"):
            let type = unsafe (text(bytes) ?? "")
            let small = type.asciiLowercased
            (isFeature, isShape) = (small == "feature", Self.shapes.contains(small))
            if isShape { shapeType = type }
            guard isFeature || isShape || small == "featurecollection" else {
                return fail("its type is neither FeatureCollection nor Feature")
            }
        case (.feature, "type"):
            let type = unsafe (text(bytes) ?? "")
            if !type.asciiLowercased.isSame(as: "feature") {
                feature.refuse("its type is \(type.quoted); Feature is needed")
            }
        case (.geometry, "type"): shapeType = unsafe text(bytes) ?? ""
        case (.crs, "name"): return take(crs: unsafe text(bytes) ?? "")
        case (.list, _): return fail("its list of features contains a string")
        case (nil, _): return fail("it is a string; a FeatureCollection or a Feature is needed")
        case (.coordinates, _): unsafe addCoordinate(bytes, otherwise: "a string")
        default: break
        }
        return true
    }

    func number(_ bytes: UnsafeRawBufferPointer) -> Bool {
        events += 1
        switch (levels.last, key) {
        case (.coordinates, _): unsafe addCoordinate(bytes, otherwise: "a number that is out of range")
        case (.times, _):
            let number = unsafe text(bytes).flatMap { DecimalNumber.parse($0) }
            add(time: number.flatMap { FileTime.checked(Int64(clamping: Int128($0.rounded()))) })
        case (.properties, _), (.feature, "id"), (.document, "id"):
            if let text = unsafe text(bytes) { keep(text) }
        case (.list, _): return fail("its list of features contains a number")
        case (nil, _): return fail("it is a number; a FeatureCollection or a Feature is needed")
        default: break
        }
        return true
    }

    func literal(_ literal: JSONLiteral) -> Bool {
        events += 1
        switch (levels.last, literal) {
        case (.properties, .yes), (.properties, .no): keep(literal.rawValue)
        // A height that is not known.
        case (.coordinates, .null) where position.count > 1: break
        case (.times, _): add(time: nil)
        case (.coordinates, _): feature.refuse("its coordinates contain \(literal.rawValue)")
        case (.list, _): return fail("its list of features contains \(literal.rawValue)")
        case (nil, _): return fail("it is \(literal.rawValue); a FeatureCollection or a Feature is needed")
        default: break
        }
        return true
    }

    private func open(_ level: Level) -> Bool {
        events += 1
        guard levels.count < Self.deepest else { return fail("it has more than \(Self.deepest) levels") }
        levels.append(level)
        return true
    }

    private func fail(_ reason: String) -> Bool {
        failure = failure ?? reason
        return false
    }

    private func keep(_ text: String) {
        guard levels.last == .properties else {
            feature.id = text
            return
        }
        feature.add(property: path.isEmpty ? key : (path + [key]).joined(separator: "."), text)
    }

    private func add(time: Int64?) {
        if times.count <= Feature.maximumPositions { times.append(time) }
    }

    /// A number, which some programs write as a string.
    private func addCoordinate(_ bytes: UnsafeRawBufferPointer, otherwise what: String) {
        hasPosition = true
        guard position.count < 3 else { return }
        guard let number = unsafe DecimalNumber.parse(bytes.bindMemory(to: UInt8.self).span) else {
            // A height is no part of the place.
            return position.count < 2 ? feature.refuse("its coordinates contain \(what)") : ()
        }
        position.append(number)
    }

    private func take(crs name: String) -> Bool {
        guard let known = CoordinateSystem(name) else {
            return fail("its coordinates are in \(name.quoted); degrees are needed")
        }
        // Positions that were read before are taken as degrees already.
        if count > 0, known != .degrees {
            return fail("it says only behind its features that they are in \(name.quoted)")
        }
        crs = known
        return true
    }

    private func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count <= Self.longestText else { return nil }
        guard let text = unsafe try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else { return nil }
        return String(copying: text).streamSafe
    }
}
