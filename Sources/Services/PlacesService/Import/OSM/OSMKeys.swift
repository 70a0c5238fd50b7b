import Bytes

/// The meaning of OpenStreetMap's keys for places. The bundled city is imported by these rules too.
enum OSMKeys {
    /// What a key means for whether an element is a place.
    enum Meaning {
        case name, category, street, number, interpolation, other
        /// A key whose named ways are lines; some of its values make a category too.
        case line, lineOrCategory
        /// The number of a road; the name of a bridge or a tunnel.
        case lineNumber, lineName
        /// What makes a named thing an area that names what lies in it, beside a category.
        case boundary
    }

    /// A value of one of these makes a named thing a place; the first that is present is the most significant.
    static let categories = [
        "amenity", "shop", "tourism", "leisure", "historic", "office", "craft", "healthcare", "club",
        "public_transport", "railway", "aeroway", "place", "natural", "man_made", "emergency", "military", "landuse",
        "building",
    ]
    /// Roads are no places, but these beside them are. A junction with a name is found as a line is: one does not go
    /// to it.
    static let road = "highway"
    static let roadPlaces = [
        "bus_stop": "highway/bus_stop", "services": "highway/services", "rest_area": "highway/rest_area",
        "motorway_junction": "\(LineCategory.path)/junction",
    ]
    /// Of railways only what people can go to, not the tracks and crossings.
    static let railwayPlaces: Set<String> = ["station", "halt", "tram_stop", "subway_entrance", "stop", "platform"]
    /// Categories that say nothing of a place of its own.
    static let noPlaces: Set<String> = ["public_transport/stop_area", "building/entrance"]
    /// Relations whose ways are the edges of an area.
    static let areaTypes: Set<String> = ["multipolygon", "boundary"]
    /// Relations whose members are parts of one place. Those of other types are routes, streets, rules of traffic.
    static let groupTypes: Set<String> = ["site", "cluster", "building"]
    /// A house's street, or the village or quarter that numbers its houses without streets; and its number.
    static let streets = ["addr:street", "addr:place"]
    static let number = "addr:housenumber"
    /// A way along houses, of which only the nodes have numbers.
    static let interpolation = "addr:interpolation"
    /// Of the numbers of roads, and of what roads and rails run through.
    static let lineNumbers = ["ref", "int_ref"]
    static let lineNames = ["bridge:name", "tunnel:name"]
    /// Other names, which become one attribute.
    static let otherNames = ["alt_name", "official_name", "short_name", "loc_name", "old_name"]
    /// Attributes, and the keys that they are taken from, the first that is there.
    static let details: [(attribute: String, keys: [String])] = [
        ("street", streets), ("housenumber", ["addr:housenumber"]), ("postcode", ["addr:postcode"]),
        ("city", ["addr:city"]), ("phone", ["phone", "contact:phone"]),
        ("website", ["website", "contact:website", "url"]), ("opening_hours", ["opening_hours"]),
        ("cuisine", ["cuisine"]), ("brand", ["brand"]), ("operator", ["operator"]), ("wheelchair", ["wheelchair"]),
        ("population", ["population"]), ("elevation", ["ele"]), ("wikidata", ["wikidata"]),
        ("wikimedia_commons", ["wikimedia_commons"]), ("image", ["image"]), ("panoramax", ["panoramax"]),
        ("mapillary", ["mapillary"]),
    ]

    private static let known: [[UInt8]: Meaning] = {
        var known: [[UInt8]: Meaning] = [Array("name".utf8): .name]
        for key in categories { known[Array(key.utf8)] = .category }
        for key in [road, "railway"] { known[Array(key.utf8)] = .lineOrCategory }
        for key in ["waterway", "route"] { known[Array(key.utf8)] = .line }
        for key in lineNumbers { known[Array(key.utf8)] = .lineNumber }
        for key in lineNames { known[Array(key.utf8)] = .lineName }
        for key in streets { known[Array(key.utf8)] = .street }
        known[Array("boundary".utf8)] = .boundary
        known[Array(number.utf8)] = .number
        known[Array(interpolation.utf8)] = .interpolation
        return known
    }()
    private static let longestKnown = known.keys.map(\.count).max() ?? 0

    static func meaning(of text: [UInt8]) -> Meaning {
        text.count <= longestKnown ? known[text] ?? .other : .other
    }

    /// The attribute of a name in one language: "name_fi" for "name:fi", "name_zh-Hant"; nil for "name:etymology".
    static func nameAttribute(_ key: String) -> String? {
        guard key.begins(with: "name:") else { return nil }
        let language = key.utf8.dropFirst(5)
        let head = language.prefix { $0 != UInt8(ascii: "-") }
        guard (2...3).contains(head.count), language.count <= 12 else { return nil }
        let isTag = language.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "-")
        }
        return isTag ? "name_" + key.dropFirst(5) : nil
    }
}
