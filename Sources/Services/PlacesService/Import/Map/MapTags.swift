import VectorTiles

/// The tags of an element that decide how it is drawn, and its names.
struct MapTags {
    /// Keys that say how something is drawn.
    static let keys: Set<String> = [
        "highway", "railway", "waterway", "natural", "landuse", "leisure", "building", "place", "boundary",
        "admin_level", "maritime", "area", "tunnel", "layer", "indoor", "service", "population", "type", "man_made",
        "covered", "location", "bridge", "oneway", "junction", "ref", "route", "aeroway", "amenity", "shop", "tourism",
        "historic", "ele", OSMKeys.number,
    ]
    /// Keys without which nothing is drawn.
    static let leading: Set<String> = [
        "highway", "railway", "waterway", "natural", "landuse", "leisure", "building", "place", "boundary", "man_made",
        "route", "aeroway", "amenity", "shop", "tourism", "historic", OSMKeys.number,
    ]
    /// Bytes of a name; longer ones are left out.
    static let longestName = 255
    /// Names of one thing in all languages; what is beyond is left out.
    private static let maximumNames = 64

    private var values: [String: String] = [:]
    private(set) var names: [TileFeature.Property] = []

    init(_ tags: [TagPair], in block: OSMBlock, _ texts: MapTexts) {
        for tag in tags {
            guard let key = texts[tag.key] else { continue }
            let bytes = block.texts[Int(tag.value)]
            guard !bytes.isEmpty, bytes.count <= Self.longestName, let text = try? UTF8Span(validating: bytes.span)
            else {
                continue
            }
            switch key {
            case .rule(let name): values[name] = String(copying: text)
            case .name(let name):
                guard names.count < Self.maximumNames else { continue }
                names.append(TileFeature.Property(name, .text(String(copying: text))))
            }
        }
        // The same names give the same feature, in whichever order they come.
        names.sort { $0.key < $1.key }
    }

    subscript(key: String) -> String? { values[key] }

    /// Whether a value is given that isn't a no.
    func has(_ key: String) -> Bool { values[key].map { $0 != "no" } ?? false }

    var isNamed: Bool { names.contains { $0.key == "name" } }
}

/// Which texts of a block are keys that matter for the map.
struct MapTexts {
    enum Key {
        case rule(String)
        /// "name" or "name:fi".
        case name(String)
    }

    private static let shortest = 3
    private static let longest = 20
    private let keys: [Key?]
    private let leading: [Bool]

    init(_ block: OSMBlock) {
        keys = block.texts.map(Self.key)
        leading = keys.map { if case .rule(let name)? = $0 { MapTags.leading.contains(name) } else { false } }
    }

    /// The key that a text is; texts are known to be there.
    subscript(text: UInt32) -> Key? { keys[Int(text)] }

    /// Whether an element can be drawn at all.
    func mayMatter(_ tags: [TagPair]) -> Bool { tags.contains { leading[Int($0.key)] } }

    private static func key(_ bytes: [UInt8]) -> Key? {
        guard (shortest...longest).contains(bytes.count), let span = try? UTF8Span(validating: bytes.span) else {
            return nil
        }
        let text = String(copying: span)
        if MapTags.keys.contains(text) { return .rule(text) }
        return text == "name" || OSMKeys.nameAttribute(text) != nil ? .name(text) : nil
    }
}
