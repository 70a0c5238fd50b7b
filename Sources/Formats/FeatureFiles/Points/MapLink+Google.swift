internal import Bytes
internal import Geo

extension MapLink {
    /// The mark of a place before its name, and that before the middle of the map.
    static let google = Form(
        name: "Google Maps",
        examples: [
            ("https://www.google.com/maps/search/60.1699,+24.9384?entry=tts", 60.1699, 24.9384),
            ("https://www.google.com/maps/place/60.1699,+24.9384/@60.1799,24.9284,14z", 60.1699, 24.9384),
            ("https://www.google.co.uk/maps/place/X/@1.5,2.5,17z/data=!4b1!3d60.1699!4d24.9384", 60.1699, 24.9384),
            ("https://maps.google.com/?q=60.1583,24.9556 (You)", 60.1583, 24.9556),
            ("Cafe Ursula https://maps.google.com/?q=60.1583,24.9556", 60.1583, 24.9556),
            ("https://www.google.com/maps/dir/1.5,2.5/60.1699,24.9384/@40,20,6z", 60.1699, 24.9384),
            ("comgooglemaps://?q=60.1699,24.9384&zoom=14", 60.1699, 24.9384),
        ],
        owns: { link in link.scheme == "comgooglemaps" || isGoogle(link) },
        point: { link in
            let points = link.point(
                "q", "query", "ll", "coordinate", "destination", "daddr", "viewpoint", "center", "sll")
            if link.scheme == "comgooglemaps" { return points }
            let parts = link.parts
            if let way = parts.firstIndex(where: { $0.isSame(as: "dir") }), link["destination"] == nil {
                return destination(parts[(way + 1)...])
            }
            return place(in: link.path) ?? named(parts) ?? points ?? view(parts)
        })

    /// Google's maps are at google.com and at google with the ending of a country: "www.google.co.uk/maps".
    private static func isGoogle(_ link: MapURL) -> Bool {
        let labels = link.host.split(at: ".")
        guard link.scheme.isEmpty, let name = labels.firstIndex(of: "google") else { return false }
        let ending = labels[(name + 1)...]
        let isCountry = ending.count == 2 && ["co", "com"].contains(ending.first) && ending.last?.utf8.count == 2
        guard ending.count == 1 || isCountry else { return false }
        return link.path.begins(with: "/maps") || labels.first == "maps"
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
        return MapURL.point(parts[kind + 1])
    }

    /// Where a way ends: what is between its ends, or the map that shows it all, is another place.
    private static func destination(_ parts: ArraySlice<Substring>) -> Geo.Coordinate? {
        let stops = parts.prefix { !$0.begins(with: "@") && !$0.begins(with: "data=") }
        if let point = stops.last.flatMap(MapURL.point) { return point }
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
}
