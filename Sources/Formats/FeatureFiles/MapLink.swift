internal import Bytes
package import Geo

/// A link to a place on the maps of OpenStreetMap, Google and Apple, as their pages and apps copy it.
package enum MapLink {
    /// What in a query may hold a point, the point of a mark before the middle of a map.
    private static let points = [
        "q", "query", "ll", "coordinate", "destination", "daddr", "viewpoint", "center", "sll",
    ]

    package static func point(_ text: String) -> Geo.Coordinate? {
        guard let link = Link(text) else { return nil }
        if link.isAt("openstreetmap.org") || link.isAt("osm.org") { return openStreetMap(link) }
        if link.isAt("maps.apple.com") { return link.firstPoint(points) }
        guard link.isGoogle else { return nil }
        let parts = link.path.split(at: "/")
        if let way = parts.firstIndex(where: { $0 == "dir" }), link["destination"] == nil {
            return destination(parts[(way + 1)...])
        }
        return place(in: link.path) ?? named(parts) ?? link.firstPoint(points) ?? view(parts)
    }

    /// "?mlat=60.1&mlon=24.9#map=17/60.1/24.9"; the middle of the map only where the link says nothing else.
    private static func openStreetMap(_ link: Link) -> Geo.Coordinate? {
        if let latitude = link["mlat"], let longitude = link["mlon"] {
            return NumberPair.point("\(latitude),\(longitude)")
        }
        if let way = link["route"] { return way.split(at: ";").last.flatMap { NumberPair.point($0) } }
        if let point = link.firstPoint(["marker", "query", "to"]) { return point }
        guard let map = link.fragment.split(at: "&").lazy.compactMap({ $0.after("map=") }).first else { return nil }
        let parts = map.split(at: "/")
        return parts.count == 3 ? NumberPair.point("\(parts[1]),\(parts[2])") : nil
    }

    /// The mark of a place: "/data=!3m1!4b1!…!3d60.1699!4d24.9384".
    private static func place(in path: String) -> Geo.Coordinate? { pair("3d", "4d", in: path[...]) }

    /// The last two fields of a place's data that are degrees north and east.
    private static func pair(_ north: String, _ east: String, in text: Substring) -> Geo.Coordinate? {
        let fields = text.split(at: "!")
        guard let latitude = fields.lazy.compactMap({ $0.after(north) }).last,
            let longitude = fields.lazy.compactMap({ $0.after(east) }).last
        else { return nil }
        return NumberPair.point("\(latitude),\(longitude)")
    }

    /// What a place or a search is called, when that is a point: "/maps/place/60.1699, 24.9384/@60.2,25.1,14z".
    private static func named(_ parts: [Substring]) -> Geo.Coordinate? {
        guard let kind = parts.firstIndex(where: { $0 == "place" || $0 == "search" }), kind + 1 < parts.count else {
            return nil
        }
        return written(parts[kind + 1])
    }

    /// Where a way ends: what is between its ends, or the map that shows it all, is another place.
    private static func destination(_ parts: ArraySlice<Substring>) -> Geo.Coordinate? {
        let stops = parts.prefix { !$0.begins(with: "@") && !$0.begins(with: "data=") }
        if let point = stops.last.flatMap(written) { return point }
        return parts.last { $0.begins(with: "data=") }.flatMap { pair("2d", "1d", in: $0) }
    }

    /// The middle of the map: "/@60.1699,24.9384,15z", or a point by itself.
    private static func view(_ parts: [Substring]) -> Geo.Coordinate? {
        for part in parts {
            if let map = part.after("@") { return NumberPair.leading(map)?.point }
            if let point = NumberPair.point(part) { return point }
        }
        return nil
    }

    /// Degrees with decimals, or with minutes and seconds.
    fileprivate static func written(_ text: Substring) -> Geo.Coordinate? {
        NumberPair.point(text) ?? DegreesText.point(String(text.until("(")))
    }
}

/// The parts of a URL.
private struct Link {
    let host: String
    let path: String
    let fragment: String
    private let query: [(name: String, value: String)]

    /// Nil for what is no http URL, with or without its scheme.
    init?(_ text: String) {
        guard !text.unicodeScalars.contains(where: \.isWhitespace) else { return nil }
        let scheme = ["https://", "http://"].first { text.asciiLowercased.begins(with: $0) } ?? ""
        let rest = Substring(text.unicodeScalars.dropFirst(scheme.utf8.count))
        let (whole, behind) = rest.halves(at: "#") ?? (rest, "")
        fragment = Self.decoded(behind)
        let address = whole.split(at: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let location = address.first ?? ""
        let place = location.until("/", ":")
        guard !place.isEmpty else { return nil }
        host = place.asciiLowercased
        path = Self.decoded(location[place.endIndex...])
        let pairs = address.count == 2 ? address[1].split(at: "&") : []
        query = pairs.map { pair in
            let sides = pair.split(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides.first ?? ""), Self.decoded(sides.count == 2 ? sides[1] : ""))
        }
    }

    subscript(_ name: String) -> String? { query.first { $0.name == name }?.value }

    func isAt(_ domain: String) -> Bool { host == domain || host.ends(with: ".\(domain)") }

    /// Google's maps are at google.com and at google with the ending of a country: "www.google.co.uk/maps".
    var isGoogle: Bool {
        let labels = host.split(at: ".")
        guard let name = labels.firstIndex(of: "google") else { return false }
        let ending = labels[(name + 1)...]
        let isCountry = ending.count == 2 && ["co", "com"].contains(ending.first) && ending.last?.count == 2
        guard ending.count == 1 || isCountry else { return false }
        return path.begins(with: "/maps") || labels.first == "maps"
    }

    func firstPoint(_ names: [String]) -> Geo.Coordinate? {
        for name in names {
            guard let value = self[name] else { continue }
            if let point = MapLink.written(value.after("loc:") ?? value[...]) { return point }
        }
        return nil
    }

    /// Without %XX; "+" stands for a blank.
    private static func decoded(_ text: Substring) -> String { URLText.unescaped(text, plusIsBlank: true) }
}
