import Bytes

/// How things of OpenStreetMap are drawn.
enum MapRules {
    /// A way, as a line or as the edge of an area.
    static func style(ofWay tags: MapTags, isClosed: Bool) -> (style: MapStyle, isArea: Bool)? {
        if isClosed, let area = style(ofArea: tags) { return (area, true) }
        return style(ofLine: tags).map { ($0, false) }
    }

    static func style(ofLine tags: MapTags) -> MapStyle? {
        street(tags) ?? rail(tags) ?? waterway(tags)
    }

    static func style(ofArea tags: MapTags) -> MapStyle? {
        if tags.has("building"), !noBuildings.contains(tags["building"] ?? "") {
            return MapStyle(.buildings, "building", from: 14)
        }
        // The edge of an area of streets says so; a relation is always one.
        let isArea = tags["area"] == "yes" || tags["type"] != nil
        if (tags.has("highway") && isArea) || tags["place"] == "square" {
            return isHidden(tags) ? nil : MapStyle(.squares, "square", from: 14)
        }
        if tags["man_made"] == "pier" || tags["man_made"] == "breakwater" {
            return MapStyle(.squares, "pier", from: 12)
        }
        for key in ["natural", "waterway", "landuse", "leisure", "amenity", "aeroway"] {
            guard let value = tags[key], let area = areas["\(key)=\(value)"] else { continue }
            return MapStyle(area.layer, area.name, from: area.from, namedFrom: area.layer == .water ? 12 : 13)
        }
        return nil
    }

    /// The level of a border that is drawn: 2 of countries, 3 and 4 of their regions.
    static func borderLevel(_ tags: MapTags) -> UInt8? {
        guard tags["boundary"] == "administrative", let level = tags["admin_level"].flatMap(UInt8.init) else {
            return nil
        }
        return (2...4).contains(level) ? level : nil
    }

    /// A town or a part of one.
    static func style(ofPlace tags: MapTags) -> MapStyle? {
        guard tags.isNamed, let value = tags["place"], let from = places[value] else { return nil }
        var style = MapStyle(.places, value, from: from, namedFrom: from)
        style.population = tags["population"].flatMap(UInt64.init) ?? 0
        return style
    }

    private static let noBuildings: Set<String> = ["entrance", "underpass_entrance"]

    private static func street(_ tags: MapTags) -> MapStyle? {
        guard let value = tags["highway"], tags["area"] != "yes" else { return nil }
        let name = String(value.before("_link") ?? value[...])
        if let from = mainStreets[name] {
            var style = MapStyle(.streets, name, from: value == name ? from : min(from + 2, 12))
            style.isTunnel = isHidden(tags)
            style.isBridge = tags.has("bridge")
            style.direction = direction(tags)
            style.number = number(tags, name)
            return style
        }
        guard let minor = minorStreets[value], !isHidden(tags) else { return nil }
        var style = MapStyle(.streets, minor.name, from: minor.from)
        style.isBridge = tags.has("bridge")
        if drivenStreets.contains(minor.name) { style.direction = direction(tags) }
        return style
    }

    private static func direction(_ tags: MapTags) -> MapStyle.Direction? {
        switch tags["oneway"] {
        case "yes", "true", "1": .along
        case "-1", "reverse": .against
        case nil: tags["highway"] == "motorway" || tags["junction"] == "roundabout" ? .along : nil
        default: nil
        }
    }

    /// Links of roads have none on signs.
    private static func number(_ tags: MapTags, _ name: String) -> MapStyle.Number? {
        guard let text = tags["ref"], tags["highway"] == name, let from = numberedStreets[name] else { return nil }
        return MapStyle.Number(text: text, firstZoom: from)
    }

    private static func rail(_ tags: MapTags) -> MapStyle? {
        if tags["route"] == "ferry" { return MapStyle(.rails, "ferry", from: 8) }
        if let value = tags["aeroway"], let from = airfields[value] { return MapStyle(.streets, value, from: from) }
        guard let value = tags["railway"], let rail = rails[value] else { return nil }
        var style = MapStyle(.rails, rail.name, from: tags.has("service") ? 13 : rail.from)
        style.isTunnel = isHidden(tags)
        style.isBridge = tags.has("bridge")
        return style.isTunnel && value == "subway" ? nil : style
    }

    private static func waterway(_ tags: MapTags) -> MapStyle? {
        guard let value = tags["waterway"], let from = waterways[value], !isHidden(tags) else { return nil }
        return MapStyle(.waterways, value, from: from, namedFrom: 13)
    }

    /// What runs below the ground or in a building.
    private static func isHidden(_ tags: MapTags) -> Bool {
        (tags.has("tunnel") && tags["tunnel"] != "building_passage") || tags["location"] == "underground"
            || (tags["layer"] ?? "0").begins(with: "-") || tags.has("indoor")
    }

    private static let mainStreets = ["motorway": 6, "trunk": 7, "primary": 8, "secondary": 10, "tertiary": 11]
    private static let numberedStreets = ["motorway": 7, "trunk": 8, "primary": 10, "secondary": 12, "tertiary": 14]
    private static let drivenStreets: Set<String> = ["residential", "service"]
    private static let airfields = ["runway": 10, "taxiway": 12]
    private static let minorStreets: [String: (name: String, from: Int)] = [
        "residential": ("residential", 12), "unclassified": ("residential", 12), "living_street": ("residential", 12),
        "road": ("residential", 12), "service": ("service", 14), "pedestrian": ("pedestrian", 13),
        "track": ("foot", 14), "cycleway": ("cycle", 14), "footway": ("foot", 14), "path": ("foot", 14),
        "steps": ("foot", 14), "bridleway": ("foot", 14),
    ]
    private static let rails: [String: (name: String, from: Int)] = [
        "rail": ("rail", 9), "light_rail": ("rail", 11), "narrow_gauge": ("rail", 11), "subway": ("rail", 12),
        "tram": ("tram", 13), "funicular": ("tram", 13),
    ]
    private static let waterways = ["river": 8, "canal": 11, "stream": 13, "ditch": 14, "drain": 14]
    private static let places = [
        "city": 5, "town": 8, "village": 10, "suburb": 11, "island": 11, "quarter": 13, "neighbourhood": 13,
        "hamlet": 12,
    ]
    private static let areas: [String: (layer: MapLayer, name: String, from: Int)] = [
        "natural=water": (.water, "water", 5), "waterway=riverbank": (.water, "water", 5),
        "waterway=dock": (.water, "water", 9), "landuse=reservoir": (.water, "water", 5),
        "landuse=basin": (.water, "water", 9), "leisure=swimming_pool": (.water, "pool", 14),
        "natural=wood": (.parks, "wood", 8), "landuse=forest": (.parks, "wood", 8),
        "natural=scrub": (.parks, "wood", 10), "natural=heath": (.parks, "grass", 10),
        "natural=grassland": (.parks, "grass", 10), "landuse=grass": (.parks, "grass", 12),
        "landuse=meadow": (.parks, "grass", 11), "landuse=village_green": (.parks, "grass", 12),
        "landuse=recreation_ground": (.parks, "park", 11), "landuse=cemetery": (.parks, "cemetery", 11),
        "landuse=allotments": (.parks, "park", 12), "landuse=orchard": (.parks, "farm", 11),
        "landuse=vineyard": (.parks, "farm", 11), "leisure=park": (.parks, "park", 9),
        "leisure=garden": (.parks, "park", 12), "leisure=golf_course": (.parks, "park", 10),
        "leisure=pitch": (.parks, "pitch", 14), "leisure=playground": (.parks, "park", 14),
        "leisure=dog_park": (.parks, "park", 14), "leisure=stadium": (.parks, "pitch", 14),
        "natural=beach": (.parks, "sand", 12), "natural=sand": (.parks, "sand", 12),
        "natural=glacier": (.parks, "glacier", 6), "natural=wetland": (.parks, "wetland", 9),
        "natural=bare_rock": (.parks, "rock", 10), "natural=scree": (.parks, "rock", 10),
        "landuse=farmland": (.parks, "farm", 9), "landuse=residential": (.parks, "residential", 8),
        "landuse=industrial": (.parks, "industrial", 9), "landuse=commercial": (.parks, "industrial", 10),
        "landuse=retail": (.parks, "industrial", 11), "landuse=railway": (.parks, "industrial", 11),
        "landuse=quarry": (.parks, "rock", 10), "amenity=grave_yard": (.parks, "cemetery", 13),
        "amenity=school": (.parks, "campus", 13), "amenity=college": (.parks, "campus", 12),
        "amenity=university": (.parks, "campus", 12), "amenity=hospital": (.parks, "campus", 12),
        "amenity=parking": (.parks, "parking", 14), "aeroway=apron": (.parks, "parking", 12),
        "aeroway=aerodrome": (.parks, "airfield", 9), "aeroway=runway": (.parks, "parking", 11),
    ]
}
