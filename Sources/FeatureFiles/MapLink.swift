package import Geo

/// A link to a place on the maps of OpenStreetMap, Google and Apple, as their pages and apps copy it.
package enum MapLink {
    /// What in a query may hold a point, the point of a mark before the middle of a map.
    private static let points = ["q", "query", "ll", "coordinate", "destination", "daddr", "center", "sll"]

    package static func point(_ text: String) -> Geo.Coordinate? {
        guard let link = Link(text) else { return nil }
        if link.isAt("openstreetmap.org") || link.isAt("osm.org") { return openStreetMap(link) }
        if link.isAt("maps.apple.com") { return link.firstPoint(points) }
        guard link.isGoogle else { return nil }
        return place(in: link.path) ?? link.firstPoint(points) ?? view(in: link.path)
    }

    /// "?mlat=60.1&mlon=24.9#map=17/60.1/24.9"
    private static func openStreetMap(_ link: Link) -> Geo.Coordinate? {
        if let latitude = link["mlat"], let longitude = link["mlon"] {
            return NumberPair.point("\(latitude),\(longitude)")
        }
        guard let map = link.fragment.split(separator: "&").first(where: { $0.hasPrefix("map=") }) else { return nil }
        let parts = map.dropFirst(4).split(separator: "/")
        return parts.count == 3 ? NumberPair.point("\(parts[1]),\(parts[2])") : nil
    }

    /// The mark of a place: "/data=!3m1!4b1!…!3d60.1699!4d24.9384".
    private static func place(in path: String) -> Geo.Coordinate? {
        let fields = path.split(separator: "!")
        guard let latitude = fields.last(where: { $0.hasPrefix("3d") }),
            let longitude = fields.last(where: { $0.hasPrefix("4d") })
        else { return nil }
        return NumberPair.point("\(latitude.dropFirst(2)),\(longitude.dropFirst(2))")
    }

    /// The middle of the map: "/@60.1699,24.9384,15z", or a point for which a search is: "/search/60.1,24.9".
    private static func view(in path: String) -> Geo.Coordinate? {
        for part in path.split(separator: "/") {
            if let point = NumberPair.point(part.hasPrefix("@") ? part.dropFirst() : part) { return point }
        }
        return nil
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
        guard !text.contains(where: \.isWhitespace) else { return nil }
        var rest = text[...]
        for scheme in ["https://", "http://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count)
        }
        let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        fragment = parts.count == 2 ? Self.decoded(parts[1]) : ""
        let address = (parts.first ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let location = address.first ?? ""
        guard let end = location.firstIndex(where: { $0 == "/" || $0 == ":" }) ?? location.indices.last else {
            return nil
        }
        host = location[...end].lowercased().filter { $0 != "/" && $0 != ":" }
        path = Self.decoded(location[end...])
        let pairs = address.count == 2 ? address[1].split(separator: "&") : []
        query = pairs.map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides.first ?? ""), Self.decoded(sides.count == 2 ? sides[1] : ""))
        }
    }

    subscript(_ name: String) -> String? { query.first { $0.name == name }?.value }

    func isAt(_ domain: String) -> Bool { host == domain || host.hasSuffix(".\(domain)") }

    /// Google's maps are at google.com and at google with the ending of a country: "www.google.co.uk/maps".
    var isGoogle: Bool {
        let labels = host.split(separator: ".")
        guard let name = labels.firstIndex(of: "google") else { return false }
        let ending = labels[(name + 1)...]
        let isCountry = ending.count == 2 && ["co", "com"].contains(ending.first) && ending.last?.count == 2
        guard ending.count == 1 || isCountry else { return false }
        return path.hasPrefix("/maps") || labels.first == "maps"
    }

    func firstPoint(_ names: [String]) -> Geo.Coordinate? {
        for name in names {
            let value = self[name].map { $0.hasPrefix("loc:") ? String($0.dropFirst(4)) : $0 }
            if let value, let point = NumberPair.point(value.filter { $0 != " " }) { return point }
        }
        return nil
    }

    /// Without %XX; "+" stands for a blank.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
