internal import Bytes
package import Geo

/// A link to a place on a map, as its pages and apps copy it, with or without a text around it.
package enum MapLink {
    /// A way in which a service writes links to points.
    package struct Form: Sendable {
        package let name: String
        /// Links of it, each with its degrees north and east; the tests read them.
        package let examples: [(link: String, latitude: Double, longitude: Double)]
        /// Whether a link is its own.
        let owns: @Sendable (MapURL) -> Bool
        /// The point that such a link is about; nil when it says none.
        let point: @Sendable (MapURL) -> Geo.Coordinate?
        /// Of one that may have several marks, all of them.
        var marks: @Sendable (MapURL) -> [Geo.Coordinate] = { _ in [] }
    }

    /// Marks beyond so many are passed over.
    private static let mostMarks = 50

    /// All that are understood. The first that owns a link says what it means.
    package static let forms = [
        openStreetMap, openStreetMapCode, google, apple, bing, yandex, here, waze, mapy, organicMaps, osmAnd, geoHack,
        ownView,
    ]

    /// Signs that stand around links in texts.
    private static let around: Set<Unicode.Scalar> = ["<", ">", "\"", "“", "”", "«", "»", "|"]
    private static let behind: Set<Unicode.Scalar> = [".", ",", ";", ":", "!", "?", "'", "]"]
    private static let longest = 4_000

    /// The point of a link in a text; nil when no link has one, or two have different ones.
    package static func point(_ text: String) -> Geo.Coordinate? {
        var found: Geo.Coordinate?
        for link in links(in: text) {
            guard let form = forms.first(where: { $0.owns(link) }), let point = form.point(link) else { continue }
            if let found, found != point { return nil }
            found = point
        }
        return found
    }

    /// All marks of all links in a text, each once, in its order.
    package static func points(_ text: String) -> [Geo.Coordinate] {
        var found: [Geo.Coordinate] = []
        for link in links(in: text) {
            guard let form = forms.first(where: { $0.owns(link) }) else { continue }
            let marks = form.marks(link)
            for point in marks.count > 1 ? marks : [form.point(link)].compactMap(\.self)
            where found.count < mostMarks && !found.contains(point) {
                found.append(point)
            }
        }
        return found
    }

    /// Those of a text; none of one that is too long.
    static func links(in text: String) -> [MapURL] {
        guard text.utf8.count <= longest, isWorthwhile(text[...]) else { return [] }
        return text.split(atScalars: { $0.isWhitespace || around.contains($0) }).map(trimmed).filter(isWorthwhile)
            .compactMap { MapURL($0) }
    }

    /// Whether a text has a sign without which there is no link that says anything.
    private static func isWorthwhile(_ text: Substring) -> Bool {
        text.utf8.contains { byte in
            byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/")
                || byte == UInt8(ascii: "?")
        }
    }

    /// Without the signs of the sentence that it stands in.
    private static func trimmed(_ word: Substring) -> Substring {
        var scalars = word.unicodeScalars
        while let first = scalars.first, first == "(" || first == "[" || first == "'" { scalars.removeFirst() }
        while let last = scalars.last {
            let isOpen = last == ")" && !scalars.contains("(")
            guard isOpen || behind.contains(last) else { break }
            scalars.removeLast()
        }
        return Substring(scalars)
    }
}

// MARK: OpenStreetMap

extension MapLink {
    /// "?mlat=60.1&mlon=24.9#map=17/60.1/24.9"; the middle of the map only where the link says nothing else.
    private static let openStreetMap = Form(
        name: "OpenStreetMap",
        examples: [
            ("<https://www.openstreetmap.org/#map=17/60.1699/24.9384>", 60.1699, 24.9384),
            ("https://www.openstreetmap.org/?mlat=60.1&mlon=24.9#map=5/1/2", 60.1, 24.9),
            ("See https://osm.org/#map=3/-33.5/151.25.", -33.5, 151.25),
        ],
        owns: { $0.isAt("openstreetmap.org", "osm.org", "openstreetmap.de") && !$0.path.begins(with: "/go/") },
        point: { link in
            if let latitude = link["mlat"], let longitude = link["mlon"] {
                return NumberPair.point("\(latitude),\(longitude)")
            }
            if let way = link["route"] { return way.split(at: ";").last.flatMap { NumberPair.point($0) } }
            return link.point("marker", "query", "to") ?? ViewFragment.point(link.fragment)
        })

    /// "osm.org/go/0EEQjE": the middle of a map, in a code.
    private static let openStreetMapCode = Form(
        name: "OpenStreetMap's short links", examples: [("https://osm.org/go/0EEQjE--", 51.510_6, 0.054_9)],
        owns: { $0.isAt("openstreetmap.org", "osm.org") && $0.path.begins(with: "/go/") },
        point: { link in link.parts.dropFirst().first.flatMap { CellCode.openStreetMap($0) } })

    /// A map of anyone that says its middle as most do: "#15/60.1699/24.9384".
    private static let ownView = Form(
        name: "any map's view",
        examples: [
            ("https://maps.example.org/de/#15.5/60.1699/24.9384", 60.1699, 24.9384),
            ("https://opentopomap.org/#map=15/60.1699/24.9384", 60.1699, 24.9384),
        ],
        owns: { $0.scheme.isEmpty && $0.host.holds(".") }, point: { ViewFragment.point($0.fragment) })
}

/// The view of a map as it stands behind "#" in its address: zoom, degrees north, degrees east.
enum ViewFragment {
    static func point(_ fragment: String) -> Geo.Coordinate? {
        for part in fragment.split(at: "&") {
            let parts = (part.after("map=") ?? part).split(at: "/")
            // Behind these may stand how the map is turned.
            guard (3...5).contains(parts.count), let zoom = NumberPair.number(parts[0]), (0...30).contains(zoom) else {
                continue
            }
            if let point = NumberPair.point("\(parts[1]),\(parts[2])") { return point }
        }
        return nil
    }
}
