/// Reads a file's rows one after the other.
protocol RowReader: ~Copyable {
    /// Writes the next row to `row`, or reports what is wrong with it; nil at the end. Throws when the file as a whole
    /// can't be read any further.
    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent?
}

/// What came next in a file.
enum RowEvent: Equatable {
    /// `line` is where the row begins, from 1; for GeoJSON the number of the feature, for .osm.pbf that of the blob.
    case row(line: UInt64)
    case bad(line: UInt64, RowProblem)
    /// A piece of the file was read that gave no row.
    case nothing
}

/// One place as a file gives it, not yet checked.
struct PlaceRow {
    static let mostCategories = 16

    /// Nil when the file has no ids.
    var id: String?
    var name = ""
    /// Category paths with ';' between them.
    var categories = ""
    /// Degrees north.
    var latitude = 0.0
    /// Degrees east.
    var longitude = 0.0
    /// What else the file says, in its order; empty values are left out.
    var attributes: [(key: String, value: String)] = []

    /// Whether it says in which street and house it is.
    var hasAddress: Bool {
        let keys = Set(attributes.map(\.key))
        return !keys.isDisjoint(with: ["street", "addr:street"])
            && !keys.isDisjoint(with: ["housenumber", "addr:housenumber"])
    }
}

/// Why a row can't become a place.
struct RowProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What a column or property can contain, besides an attribute.
enum ColumnRole: Hashable, CaseIterable, Sendable {
    case id, name, categories, latitude, longitude

    /// Common names of such a column, the likeliest first.
    var commonNames: [String] {
        switch self {
        case .id: ["id", "source_id", "wof_id", "geonameid", "osm_id", "fsq_id", "fsq_place_id", "place_id"]
        case .name: ["name", "title"]
        case .categories: ["categories", "category", "kind", "type", "amenity"]
        case .latitude: ["lat", "latitude", "y"]
        case .longitude: ["lon", "lng", "long", "longitude", "x"]
        }
    }
}

/// Which column or property has which role: named by the client, or found by its common names, ignoring case.
struct ColumnNames: Sendable {
    /// The client's choice; other roles are searched for.
    var chosen: [ColumnRole: String] = [:]

    /// The role that a name may have and how well it fits, 0 being best.
    func role(of name: String) -> (role: ColumnRole, rank: Int)? {
        for role in ColumnRole.allCases {
            if let chosen = chosen[role] {
                if chosen == name { return (role, 0) }
            } else if let rank = role.commonNames.firstIndex(of: name.lowercased()) {
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

/// Which column of a table has which role.
struct RowColumns: Sendable {
    private static let mostListed = 20

    let header: [String]
    /// Nil when the file has no ids.
    let id: Int?
    let name: Int
    let categories: Int?
    let latitude: Int
    let longitude: Int
    /// Columns that become attributes, with their names.
    let others: [(column: Int, key: String)]

    init(_ header: [String], _ names: ColumnNames) throws(PlacesError) {
        self.header = header
        let columns = names.columns(of: header)
        for (role, chosen) in names.chosen where columns[role] == nil {
            throw .badFile(reason: "it has no column \(chosen.quoted); its columns are \(Self.list(header))")
        }
        name = try Self.required(.name, columns, header)
        latitude = try Self.required(.latitude, columns, header)
        longitude = try Self.required(.longitude, columns, header)
        id = columns[.id]
        categories = columns[.categories]
        let taken = Set(columns.values)
        others = header.indices.filter { !taken.contains($0) }.map { ($0, Self.key(header[$0], $0)) }
    }

    private static func key(_ name: String, _ column: Int) -> String { name.isEmpty ? "column_\(column + 1)" : name }

    private static func required(
        _ role: ColumnRole, _ columns: [ColumnRole: Int], _ header: [String]
    ) throws(PlacesError) -> Int {
        if let column = columns[role] { return column }
        let names = role.commonNames.joined(separator: ", ")
        throw .badFile(reason: "no column is called \(names); its columns are \(list(header)); name the right one")
    }

    private static func list(_ header: [String]) -> String {
        let shown = header.prefix(mostListed).map { $0.prefix(40) }.joined(separator: ", ")
        return header.count > mostListed ? "\(shown) and \(header.count - mostListed) more" : shown
    }
}
