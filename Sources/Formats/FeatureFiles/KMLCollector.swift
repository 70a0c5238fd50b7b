internal import Bytes

/// Placemarks of a KML file (OGC 12-007r2): points, lines and areas, with what they say of themselves. The innermost
/// folder around one is a list, or else the document; its colour is that of the first mark in it.
final class KMLCollector: PlacemarkCollector {
    /// Characters of a folder's name that are kept: many may be open at once.
    private static let longestTitle = 1_000

    let format = "KML"
    let root = "kml"
    private static let place = "Placemark"
    private static let hole = "innerBoundaryIs"
    let beginnings = [KMLCollector.place]
    private(set) var isRoot = false
    private var places: [Feature] = []
    private var open: Feature?
    private var count: UInt64 = 0
    /// Elements that are open in a placemark.
    private var depth = 0
    /// Areas that are open in it, whose rings are no lines.
    private var areas = 0
    /// The name of a value that is open.
    private var key = ""
    /// Where a model stands.
    private var location = (longitude: "", latitude: "")
    /// The times of the track that is open.
    private var times: [Int64?] = []
    /// Where the positions that are open begin.
    private var coordinatesLine: UInt64 = 0
    private var styles = KMLStyles()
    /// Elements that are open in the placemark, and its colours: its own, and those of the style that it names.
    private var inside: [String] = []
    private var (own, named) = (KMLColours(), KMLColours())
    /// Elements that are open around placemarks, with their names for people.
    private var outside: [(element: String, title: String)] = []
    /// What the innermost folder with a name is called, or the document.
    private var folder: String? {
        outside.last { ($0.element == "Folder" || $0.element == "Document") && !$0.title.isEmpty }?.title
    }
    private static let properties = [
        "name": "name", "description": "description", "address": "address", "phoneNumber": "phone",
    ]

    func takePlaces() -> [Feature] {
        defer { places.removeAll(keepingCapacity: true) }
        return places
    }

    /// They are placemarks too.
    func takeLines() -> [FeatureLine] { [] }

    func takeLists() -> [FeatureList] { [] }

    func cutOff() -> String {
        defer { open = nil }
        return open.map { "\($0.calling("placemark")) is left out" }
            ?? "what follows is read from the next placemark on"
    }

    func context(of open: [String]) -> [String] {
        styles.cutOff()
        // As many as are kept here: the folders around the next placemark.
        let kept = Array(open.prefix(outside.count))
        outside.removeLast(outside.count - kept.count)
        if kept.isEmpty { outside = [(root, "")] }
        return kept.isEmpty ? [root] : kept
    }

    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?) {
        if name == root { isRoot = true }
        if open != nil {
            depth += 1
            inside.append(name)
            if name == "Data" || name == "SimpleData" { key = attribute("name") ?? "" }
            begin(shape: name)
            if name == "coordinates" || name == "coord" { coordinatesLine = line }
            open?.add(own: name, attribute)
        } else if name == Self.place {
            count += 1
            (depth, areas, inside, own, named) = (0, 0, [], KMLColours(), KMLColours())
            open = Feature(number: count)
            open?.id = attribute("id")
        } else {
            outside.append((name, ""))
            if let id = attribute("id") { styles.begin(name, id: id) }
        }
    }

    private func begin(shape: String) {
        switch shape {
        case "Point": open?.begin(.point)
        case "LineString": open?.begin(.line)
        case "LinearRing" where areas == 0: open?.begin(.line)
        case "Polygon": areas += 1
        case "Track":
            times.removeAll(keepingCapacity: true)
            open?.begin(.track)
        default: break
        }
    }

    func end(_ name: String, _ text: String) {
        guard open != nil else {
            _ = outside.popLast()
            styles.end(name, in: outside.last?.element ?? "", text.withoutBlanks)
            if name == "name", let last = outside.indices.last {
                outside[last].title = String(text.withoutBlanks.unicodeScalars.prefix(Self.longestTitle))
            }
            return
        }
        if depth == 0 {
            finish()
            return
        }
        _ = inside.popLast()
        switch name {
        case "Polygon": areas -= 1
        case "Track": if !times.isEmpty { open?.set(times: times, ofLast: 1) }
        case "coordinates": add(coordinates: text)
        case "longitude": if inside.last == "Location" { location.longitude = text.withoutBlanks }
        case "latitude": if inside.last == "Location" { location.latitude = text.withoutBlanks }
        case "Location":
            open?.begin(.point)
            open?.add(positionTexts: [location.longitude, location.latitude], line: coordinatesLine)
        case "coord":
            open?.add(positionTexts: text.split(atScalars: \.isWhitespace).map(String.init), line: coordinatesLine)
        case "value", "SimpleData": if !key.isEmpty { open?.add(property: key, text.withoutBlanks) }
        case PinMarkup.note: open?.add(property: PinMarkup.note, text)
        case "styleUrl": if depth == 1 { named = styles.colours(of: text.withoutBlanks) }
        case "color", "fill": own.take(name, in: inside.last ?? "", text.withoutBlanks)
        case "when":
            if inside.last != "Track" {
                if depth == 2 { open?.add(property: "time", text.withoutBlanks) }
            } else if times.count <= Feature.maximumPositions {
                times.append(FileTime.milliseconds(text.withoutBlanks))
            }
        case let name where depth == 1:
            if let key = Self.properties[name] { open?.add(property: key, text.withoutBlanks) }
        default: break
        }
        depth -= 1
    }

    private func finish() {
        let colours = own.over(named)
        addLists(colours.any)
        open.map { feature in
            var feature = feature
            colours.say(of: &feature)
            places.append(feature)
        }
        open = nil
    }

    /// Our own files name all lists that a pin is in; what Google's My Maps makes of one keeps their names.
    private func addLists(_ colour: String) {
        guard let open, open.lists.isEmpty, !open.isOfWaymark else { return }
        let named = open.properties.first { $0.key == "lists" }?.value.split(at: "\n").map(String.init)
        for name in named ?? [folder].compactMap(\.self) {
            self.open?.add(list: FeatureList(name: name.withoutBlanks, colour: colour))
        }
    }

    /// Three numbers without blanks between them: east, north and a height that may be missing. Those of an area are
    /// one ring of it.
    private func add(coordinates text: String) {
        if areas > 0 { open?.begin(.area, isHole: inside.contains(Self.hole)) }
        var points = Self.tuples(text)
        // Some programs write blanks behind the commas.
        if points.contains(where: { $0.count < 2 || $0[1].isEmpty }) {
            // No blank is left behind a comma, nor before one.
            let parts = text.split(at: ",", omittingEmptySubsequences: false)
            points = Self.tuples(
                parts.map { String($0.trimmed) }.joined(separator: ","))
        }
        for point in points { open?.add(positionTexts: point, line: coordinatesLine) }
    }

    private static func tuples(_ text: String) -> [[String]] {
        text.split(atScalars: \.isWhitespace).map { point in
            point.split(at: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
