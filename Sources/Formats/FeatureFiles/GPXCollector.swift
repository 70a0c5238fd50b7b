internal import Bytes

/// Waypoints of a GPX file (https://www.topografix.com/GPX/1/1/); points of tracks and routes are no places.
///
/// The lists that favourites are in stand where their programs put them: OsmAnd has a group as the waypoint's type,
/// with its colour in the extensions; Organic Maps writes a file for each list, which has the file's name in its
/// metadata.
final class GPXCollector: PlacemarkCollector {
    let format = "GPX"
    let root = "gpx"
    let place = "wpt"
    private(set) var isRoot = false
    private(set) var lineCount: UInt64 = 0
    private var places: [Feature] = []
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

    func cutOff() -> String {
        defer { (open, outside) = (nil, [root]) }
        return open.map { "\($0.calling("waypoint")) is left out" } ?? "what follows is read from the next waypoint on"
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
        if name == place {
            count += 1
            (depth, list) = (0, FeatureList(name: isOfOrganicMaps ? title : ""))
            open = Feature(number: count)
            open?.begin(.point)
            open?.add(positionTexts: [attribute("lon") ?? "", attribute("lat") ?? ""], line: line)
            return
        }
        if name == root {
            isRoot = true
            let creator = attribute("creator") ?? ""
            (isOfOsmAnd, isOfOrganicMaps) = (creator.begins(with: "OsmAnd"), creator.begins(with: "Organic Maps"))
        }
        if name == "trk" || name == "rte" { lineCount += 1 }
        outside.append(name)
    }

    func end(_ name: String, _ text: String) {
        guard open != nil else {
            if outside == [root, "metadata", "name"] { title = text.withoutBlanks }
            _ = outside.popLast()
            return
        }
        if depth == 0 {
            open?.add(list: list)
            open.map { places.append($0) }
            open = nil
            return
        }
        if depth == 1, let key = Self.properties[name] { open?.add(property: key, text.withoutBlanks) }
        if isOfOsmAnd, depth == 1, name == "type" { list.name = text.withoutBlanks }
        if isOfOsmAnd, name == "color" { list.colour = text.withoutBlanks }
        depth -= 1
    }
}
