/// What is marked at a point: what people look for by its name, and the numbers of houses.
enum MapMarks {
    /// A node, or the middle of an area. A shop in a house has both.
    static func styles(_ tags: MapTags) -> [MapStyle] {
        [mark(tags), number(tags)].compactMap(\.self)
    }

    private static func mark(_ tags: MapTags) -> MapStyle? {
        guard tags.isNamed, let (name, from) = kind(tags) else { return nil }
        var style = MapStyle(.marks, name, from: from, namedFrom: from)
        if name == "peak" { style.height = tags["ele"] }
        return style
    }

    private static func number(_ tags: MapTags) -> MapStyle? {
        guard let text = tags[OSMKeys.number], text.utf8.count <= longestNumber else { return nil }
        return MapStyle(.numbers, text, from: MapLayer.detailZoom)
    }

    private static func kind(_ tags: MapTags) -> (name: String, from: Int)? {
        for key in keys {
            guard let value = tags[key] else { continue }
            if let name = kinds["\(key)=\(value)"] { return (name, firstZooms[name] ?? MapLayer.detailZoom) }
            if key == "shop", tags.has(key) { return ("shop", MapLayer.detailZoom) }
        }
        return nil
    }

    private static let longestNumber = 12
    /// The most telling first.
    private static let keys = [
        "natural", "railway", "aeroway", "tourism", "historic", "amenity", "leisure", "highway", "shop",
    ]
    /// Of those that are seen from farther away than details.
    private static let firstZooms = [
        "peak": 11, "airport": 10, "station": 12, "ferry": 13, "halt": 13, "castle": 13, "hospital": 14, "museum": 14,
        "attraction": 14, "viewpoint": 14, "camp": 14, "bus": 14,
    ]
    private static let kinds = [
        "natural=peak": "peak", "natural=volcano": "peak", "railway=station": "station", "railway=halt": "halt",
        "railway=tram_stop": "tram", "aeroway=aerodrome": "airport", "highway=bus_stop": "stop",
        "tourism=museum": "museum", "tourism=gallery": "museum", "tourism=attraction": "attraction",
        "tourism=zoo": "attraction", "tourism=theme_park": "attraction", "tourism=aquarium": "attraction",
        "tourism=viewpoint": "viewpoint", "tourism=hotel": "hotel", "tourism=hostel": "hotel",
        "tourism=motel": "hotel", "tourism=guest_house": "hotel", "tourism=camp_site": "camp",
        "tourism=caravan_site": "camp", "historic=castle": "castle", "historic=fort": "castle",
        "historic=ruins": "castle", "historic=monument": "monument", "historic=memorial": "monument",
        "amenity=ferry_terminal": "ferry", "amenity=bus_station": "bus", "amenity=hospital": "hospital",
        "amenity=university": "school", "amenity=college": "school", "amenity=school": "school",
        "amenity=library": "library", "amenity=theatre": "theatre", "amenity=cinema": "theatre",
        "amenity=arts_centre": "theatre", "amenity=concert_hall": "theatre", "amenity=place_of_worship": "worship",
        "amenity=townhall": "town_hall", "amenity=courthouse": "town_hall", "amenity=restaurant": "food",
        "amenity=food_court": "food", "amenity=fast_food": "food", "amenity=cafe": "cafe",
        "amenity=ice_cream": "cafe", "amenity=bar": "bar", "amenity=pub": "bar", "amenity=biergarten": "bar",
        "amenity=nightclub": "bar", "amenity=pharmacy": "pharmacy", "amenity=bank": "bank",
        "amenity=post_office": "post", "amenity=police": "town_hall", "amenity=fire_station": "town_hall",
        "amenity=fuel": "fuel", "amenity=parking": "parking", "amenity=marketplace": "market",
        "leisure=stadium": "sport", "leisure=sports_centre": "sport", "leisure=marina": "ferry",
        "shop=supermarket": "market", "shop=mall": "market", "shop=department_store": "market",
    ]
}
