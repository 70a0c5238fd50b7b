/// What a column or property can hold, beside an attribute.
enum ColumnRole: Hashable, CaseIterable, Sendable {
    case id, name, categories, latitude, longitude

    /// How such a column is usually called, the likeliest first.
    var usualNames: [String] {
        switch self {
        case .id: ["id", "source_id", "wof_id", "geonameid", "osm_id", "fsq_id", "fsq_place_id", "place_id"]
        case .name: ["name", "title"]
        case .categories: ["categories", "category", "kind", "type", "amenity"]
        case .latitude: ["lat", "latitude", "y"]
        case .longitude: ["lon", "lng", "long", "longitude", "x"]
        }
    }
}

/// Which column or property holds what: named by the client, or found under its usual names, whatever their case.
struct ColumnNames: Sendable {
    /// The client's choice; what is not here is looked for.
    var chosen: [ColumnRole: String] = [:]

    /// The role that a name may have and how well it fits, 0 being best.
    func role(of name: String) -> (role: ColumnRole, rank: Int)? {
        for role in ColumnRole.allCases {
            if let chosen = chosen[role] {
                if chosen == name { return (role, 0) }
            } else if let rank = role.usualNames.firstIndex(of: name.lowercased()) {
                return (role, rank)
            }
        }
        return nil
    }

    /// The column of each role that the header has; of several the likeliest, of equals the first.
    func columns(of header: [String]) -> [ColumnRole: Int] {
        var best: [ColumnRole: (rank: Int, column: Int)] = [:]
        for (column, name) in header.enumerated() {
            guard let found = role(of: name) else { continue }
            if let known = best[found.role], known.rank <= found.rank { continue }
            best[found.role] = (found.rank, column)
        }
        return best.mapValues(\.column)
    }
}
