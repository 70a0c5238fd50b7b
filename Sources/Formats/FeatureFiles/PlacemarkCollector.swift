internal import Bytes
internal import Refusals

/// Collects the places of one kind of XML file.
protocol PlacemarkCollector: MarkupVisitor {
    /// What the format is called, and its outermost element.
    var format: String { get }
    var root: String { get }
    /// Whether that was seen.
    var isRoot: Bool { get }
    /// Lines beside the places: tracks and routes.
    var lineCount: UInt64 { get }
    /// Hands over what is complete.
    func takePlaces() -> [Feature]
}

/// Waypoints of a GPX file (https://www.topografix.com/GPX/1/1/); points of tracks and routes are no places.
final class GPXCollector: PlacemarkCollector {
    let format = "GPX"
    let root = "gpx"
    private(set) var isRoot = false
    private(set) var lineCount: UInt64 = 0
    private var places: [Feature] = []
    private var place: Feature?
    private var count: UInt64 = 0
    /// Elements that are open in a waypoint.
    private var depth = 0
    /// Elements of a waypoint, and as what they are kept.
    private static let properties = [
        "name": "name", "type": "category", "desc": "description", "cmt": "comment", "sym": "symbol",
        "ele": "elevation",
        "time": "time",
    ]

    func takePlaces() -> [Feature] {
        defer { places.removeAll(keepingCapacity: true) }
        return places
    }

    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?) {
        if name == root { isRoot = true }
        if place != nil {
            depth += 1
            if name == "link", let address = attribute("href") { place?.add(property: "website", address) }
            place?.add(own: name, attribute)
        } else if name == "trk" || name == "rte" {
            lineCount += 1
        } else if name == "wpt" {
            count += 1
            depth = 0
            place = Feature(number: count)
            place?.add(positionTexts: [attribute("lon") ?? "", attribute("lat") ?? ""], line: line)
        }
    }

    func end(_ name: String, _ text: String) {
        guard place != nil else { return }
        if depth == 0 {
            place.map { places.append($0) }
            place = nil
            return
        }
        if depth == 1, let key = Self.properties[name] { place?.add(property: key, text.withoutBlanks) }
        depth -= 1
    }
}

/// Placemarks of a KML file (OGC 12-007r2): points, lines and areas, with what they say of themselves.
final class KMLCollector: PlacemarkCollector {
    let format = "KML"
    let root = "kml"
    private(set) var isRoot = false
    private(set) var lineCount: UInt64 = 0
    private var places: [Feature] = []
    private var place: Feature?
    private var count: UInt64 = 0
    /// Elements that are open in a placemark.
    private var depth = 0
    /// The name of a value that is open.
    private var key = ""
    /// Where the positions that are open begin.
    private var coordinatesLine: UInt64 = 0
    /// Characters of a folder's name that are kept: many may be open at once.
    private static let longestTitle = 1_000
    /// Elements that are open around placemarks, with their names for people.
    private var outside: [(element: String, title: String)] = []
    /// What the innermost folder with a name is called.
    private var folder: String? {
        outside.last { $0.element == "Folder" && !$0.title.isEmpty }?.title
    }
    private static let properties = [
        "name": "name", "description": "description", "address": "address", "phoneNumber": "phone",
    ]

    func takePlaces() -> [Feature] {
        defer { places.removeAll(keepingCapacity: true) }
        return places
    }

    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?) {
        if name == root { isRoot = true }
        if place != nil {
            depth += 1
            if name == "Data" || name == "SimpleData" { key = attribute("name") ?? "" }
            if name == "Track" || name == "MultiTrack" { place?.isLine = true }
            if name == "coordinates" { coordinatesLine = line }
            place?.add(own: name, attribute)
        } else if name == "Placemark" {
            count += 1
            depth = 0
            place = Feature(number: count)
            place?.id = attribute("id")
        } else {
            outside.append((name, ""))
        }
    }

    func end(_ name: String, _ text: String) {
        guard place != nil else {
            _ = outside.popLast()
            if name == "name", let last = outside.indices.last {
                outside[last].title = String(text.withoutBlanks.unicodeScalars.prefix(Self.longestTitle))
            }
            return
        }
        if depth == 0 {
            if place?.lists.isEmpty == true, let folder { place?.add(list: FeatureList(name: folder)) }
            place.map { places.append($0) }
            place = nil
            return
        }
        switch name {
        case "coordinates":
            // Three numbers without blanks between them: east, north and a height that may be missing.
            for point in text.split(atScalars: \.isWhitespace) {
                place?.add(
                    positionTexts: point.split(at: ",", omittingEmptySubsequences: false).map(String.init),
                    line: coordinatesLine)
            }
        case "value", "SimpleData":
            if !key.isEmpty { place?.add(property: key, text.withoutBlanks) }
        case PinMarkup.note: place?.add(property: PinMarkup.note, text)
        case "when": if depth == 2 { place?.add(property: "time", text.withoutBlanks) }
        case let name where depth == 1:
            if let key = Self.properties[name] { place?.add(property: key, text.withoutBlanks) }
        default: break
        }
        depth -= 1
    }
}

extension Feature {
    /// Adds what an element says when it is one of our own.
    fileprivate mutating func add(own element: String, _ attribute: (String) -> String?) {
        if element == PinMarkup.list, let name = attribute("name") {
            add(list: FeatureList(name: name, colour: attribute("colour") ?? ""))
        }
        guard element == PinMarkup.pin else { return }
        for name in PinMarkup.attributes {
            if let value = attribute(name) { add(property: "\(PinMarkup.prefix):\(name)", value) }
        }
    }

    /// Adds a position from texts of degrees east and north.
    fileprivate mutating func add(positionTexts texts: [String], line: UInt64) {
        let numbers = texts.prefix(2).compactMap { DecimalNumber.parse($0) }
        // With more than a height behind them two are glued, or have commas for points: it is another place.
        let isWhole = texts.count <= 3 && texts.dropFirst(2).allSatisfy { $0.isEmpty || DecimalNumber.parse($0) != nil }
        guard numbers.count == 2, isWhole else {
            let given = texts.joined(separator: ",").quoted
            return note("line \(line): its position is \(given), degrees east and north are needed")
        }
        add(position: numbers)
    }
}
