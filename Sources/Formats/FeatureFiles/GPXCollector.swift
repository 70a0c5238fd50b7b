internal import Bytes
internal import Refusals

/// Waypoints of a GPX file (https://www.topografix.com/GPX/1/1/), and its tracks and routes, whose points are no
/// places.
///
/// The lists that favourites are in stand where their programs put them: OsmAnd has a group as the waypoint's type,
/// with its colour in the extensions; Organic Maps writes a file for each list, which has the file's name in its
/// metadata; Garmin's programs have categories in the extensions, and a symbol that may be of a colour.
final class GPXCollector: PlacemarkCollector {
    let format = "GPX"
    let root = "gpx"
    private static let place = "wpt"
    /// What is broken costs what it is in.
    let beginnings = [GPXCollector.place, "trk", "rte"]
    private(set) var isRoot = false
    private var places: [Feature] = []
    private var lines: [FeatureLine] = []
    /// OsmAnd's groups, which stand at the end.
    private var groups: [FeatureList] = []
    /// The track or route that is open.
    private var line: FeatureLine?
    private var open: Feature?
    private var count: UInt64 = 0
    /// Elements that are open in a waypoint.
    private var depth = 0
    /// Elements that are open outside of one.
    private var outside: [String] = []
    private var isOfOsmAnd = false
    private var isOfOrganicMaps = false
    /// What the file is called in its metadata.
    private var title = ""
    private var list = FeatureList(name: "")
    /// Those of Garmin's extensions.
    private var categories: [String] = []
    /// Elements of a waypoint, and as what they are kept.
    private static let properties = [
        "name": "name", "type": "category", "desc": "description", "cmt": "comment", "sym": "symbol",
        "ele": "elevation", "time": "time", "url": "website",
    ]

    func takePlaces() -> [Feature] {
        defer { places.removeAll(keepingCapacity: true) }
        return places
    }

    func takeLines() -> [FeatureLine] {
        defer { lines.removeAll(keepingCapacity: true) }
        return lines
    }

    func takeLists() -> [FeatureList] {
        defer { groups.removeAll(keepingCapacity: true) }
        return groups
    }

    func cutOff() -> String {
        defer { (open, outside) = (nil, [root]) }
        endLine()
        return open.map { "\($0.calling("waypoint")) is left out" }
            ?? "what follows is read from the next waypoint or track on"
    }

    /// A waypoint is always directly in the outermost element.
    func context(of open: [String]) -> [String] { [open.first ?? root] }

    func begin(_ name: String, line: UInt64, _ attribute: (String) -> String?) {
        if open != nil {
            depth += 1
            if name == "link", let address = attribute("href") { open?.add(property: "website", address) }
            open?.add(own: name, attribute)
            return
        }
        if name == Self.place {
            count += 1
            (depth, list, categories) = (0, FeatureList(name: isOfOrganicMaps ? title : ""), [])
            open = Feature(number: count)
            open?.begin(.point)
            open?.add(positionTexts: Self.position(attribute), line: line)
            return
        }
        if name == root {
            isRoot = true
            let creator = attribute("creator") ?? ""
            (isOfOsmAnd, isOfOrganicMaps) = (creator.begins(with: "OsmAnd"), creator.begins(with: "Organic Maps"))
        }
        begin(ofLine: name, line: line, attribute)
        if name == "group", outside.last == "points_groups", let title = attribute("name"),
            let colour = attribute("color")
        {
            groups.append(FeatureList(name: title, colour: colour))
        }
        outside.append(name)
    }

    func end(_ name: String, _ text: String) {
        guard open != nil else {
            if outside == [root, "metadata", "name"] { title = text.withoutBlanks }
            end(ofLine: name, text)
            _ = outside.popLast()
            return
        }
        if depth == 0 {
            // Our own files name all lists that a pin is in.
            if open?.isOfWaymark == false {
                open?.add(list: list)
                for name in categories { open?.add(list: FeatureList(name: name, colour: list.colour)) }
            }
            open.map { places.append($0) }
            open = nil
            return
        }
        if depth == 1, let key = Self.properties[name] { open?.add(property: key, text.withoutBlanks) }
        if isOfOsmAnd, depth == 1, name == "type" { list.name = text.withoutBlanks }
        end(extension: name, text)
        depth -= 1
    }

    private func begin(ofLine name: String, line: UInt64, _ attribute: (String) -> String?) {
        switch (name, outside.count) {
        case ("trk", 1): self.line = FeatureLine("track")
        case ("rte", 1):
            self.line = FeatureLine("route")
            self.line?.feature.begin(.line)
        case ("trkseg", 2): self.line?.feature.begin(.line)
        case ("trkpt", 2...3), ("rtept", 2):
            // Without a segment around it.
            if self.line?.feature.shapes.isEmpty == true { self.line?.feature.begin(.line) }
            self.line?.feature.add(positionTexts: Self.position(attribute), line: line)
        default: self.line?.feature.add(own: name, attribute)
        }
    }

    private func end(ofLine name: String, _ text: String) {
        guard line != nil else { return }
        switch (name, outside.count) {
        case ("trk", 2), ("rte", 2): endLine()
        case ("name", 3): line?.feature.add(property: "name", text.withoutBlanks)
        case ("ele", 4...5) where isInPoint: line?.feature.add(height: Self.number(text.withoutBlanks))
        case ("time", 4...5) where isInPoint: line?.feature.add(time: text.withoutBlanks)
        // Of OsmAnd, and of Garmin's programs.
        case ("color", 4...5), ("DisplayColor", 4...5): line?.feature.add(property: "colour", text.withoutBlanks)
        default: break
        }
    }

    /// Whether the element that ends stands directly in a point of a line.
    private var isInPoint: Bool { ["trkpt", "rtept"].contains(outside[outside.count - 2]) }

    private static func position(_ attribute: (String) -> String?) -> [String] {
        [number(attribute("lon") ?? ""), number(attribute("lat") ?? "")]
    }

    /// A comma in one number alone stands for the point.
    private static func number(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ",")), !text.utf8.contains(UInt8(ascii: ".")) else { return text }
        return text.replacing(each: ",", with: ".")
    }

    private func endLine() {
        guard var ended = line else { return }
        if isOfOrganicMaps { ended.feature.add(list: FeatureList(name: title)) }
        lines.append(ended)
        line = nil
    }

    private func end(extension name: String, _ text: String) {
        switch name {
        case "color": list.colour = text.withoutBlanks
        // "Flag, Blue".
        case "sym": if list.colour.isEmpty { list.colour = text.behindComma }
        case "visited_date": open?.add(property: name, text.withoutBlanks)
        case "Category":
            if categories.count < Feature.maximumLists { categories.append(text.withoutBlanks) }
        default: break
        }
    }
}

extension String {
    /// What stands behind its last comma; empty when it has none.
    fileprivate var behindComma: String { halves(atLast: ",").map { String($0.1).withoutBlanks } ?? "" }
}
