import Bytes
import Geo

/// Which elements of OpenStreetMap are areas that name what lies in them.
enum AreaRules {
    private static let levels: ClosedRange<UInt8> = 2...11
    private static let parks: Set<String> = ["national_park", "protected_area"]
    private static let islands: Set<String> = ["island", "islet"]
    private static let places: Set<String> = [
        "city", "town", "village", "hamlet", "municipality", "borough", "suburb", "quarter", "neighbourhood",
        "isolated_dwelling",
    ]
    private static let maximumNames = 100

    /// The area that tags describe, without its edge; nil when they describe none.
    static func record(_ tags: OSMTags, id: String) -> AreaRecord? {
        guard let name = tags.value("name"), let (kind, level) = kind(tags) else { return nil }
        let place = tags.value("place") ?? ""
        return AreaRecord(
            kind: kind, level: level, id: id, name: name, code: code(tags, kind), place: place,
            names: tags.namesByLanguage.prefix(maximumNames).map { AreaRecord.Name(language: $0, name: $1) })
    }

    private static func kind(_ tags: OSMTags) -> (AreaKind, level: UInt8)? {
        let boundary = tags.value("boundary") ?? ""
        if boundary == "administrative", let level = tags.value("admin_level").flatMap({ UInt8($0) }),
            levels.contains(level)
        {
            return (level == 2 ? .country : .region, level)
        }
        if parks.contains(boundary) { return (.park, 0) }
        let place = tags.value("place") ?? ""
        if place == "square" { return (.square, 0) }
        if islands.contains(place) { return (.island, 0) }
        return places.contains(place) ? (.place, 0) : nil
    }

    private static func code(_ tags: OSMTags, _ kind: AreaKind) -> String {
        let keys = kind == .country ? ["ISO3166-1:alpha2", "ISO3166-1", "country_code"] : ["ISO3166-2"]
        return keys.lazy.compactMap { tags.value($0) }.first?.uppercased() ?? ""
    }
}
