/// Ways that are borders because a relation says so: most ways along a border have no tags of their own.
struct MapBorders {
    /// Ways that are kept; what is beyond is left out.
    private static let maximumWays = 4_000_000

    /// The most important level of each way.
    private var levels: [Int64: UInt8] = [:]

    /// Keeps the ways of a border of that level.
    mutating func note(_ level: UInt8, _ members: [OSMMember]) {
        for member in members where member.part != .node {
            if let known = levels[member.id] {
                levels[member.id] = min(known, level)
            } else if levels.count < Self.maximumWays {
                levels[member.id] = level
            }
        }
    }

    /// Whether a relation says that a way is a border.
    func has(_ way: Int64) -> Bool { levels[way] != nil }

    /// How a way is drawn as a border; nil when it is none, or runs in the sea.
    func style(of way: Int64, _ tags: MapTags) -> MapStyle? {
        guard !tags.has("maritime"), tags["natural"] != "coastline" else { return nil }
        guard let level = [levels[way], MapRules.borderLevel(tags)].compactMap(\.self).min() else { return nil }
        return level == 2 ? MapStyle(.borders, "country", from: 5) : MapStyle(.borders, "region", from: 7)
    }
}
