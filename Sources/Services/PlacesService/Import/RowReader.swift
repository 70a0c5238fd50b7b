import FeatureFiles

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
    /// A part of the file that is no row was passed over or changed.
    case notice(FileNotice)
    /// A piece of the file was read that gave no row.
    case nothing
}

/// One place as a file gives it, not yet checked.
struct PlaceRow {
    static let maximumCategories = 16

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
        attributes.contains { $0.key == "street" || $0.key == "addr:street" }
            && attributes.contains { $0.key == "housenumber" || $0.key == "addr:housenumber" }
    }
}

/// What a column or property can contain, besides an attribute.
enum ColumnRole: Hashable, Sendable {
    case id, name, categories, latitude, longitude
    /// Both of these in one text.
    case point
    /// Of a table of addresses. A street may have the number with it.
    case street, number, city, postcode

    static let ofPlaces: [ColumnRole] = [.id, .name, .categories, .latitude, .longitude, .point]
    static let ofAddresses: [ColumnRole] = [.id, .latitude, .longitude, .point, .street, .number, .city, .postcode]

    /// Common names of such a column, the likeliest first.
    var commonNames: [String] {
        switch self {
        case .id: ["id", "source_id", "wof_id", "geonameid", "osm_id", "fsq_id", "fsq_place_id", "place_id"]
        case .name: ["name", "title", "label", "name:en", "name_en", "int_name"]
        case .categories: ["categories", "category", "kind", "type", "amenity"]
        case .latitude: PositionColumns.latitudes
        case .longitude: PositionColumns.longitudes
        case .point: PositionColumns.points
        case .street:
            [
                "street", "addr:street", "street_name", "streetname", "road", "strasse", "rue", "via", "address",
                "street_address", "full_address", "addr:full", "adresse",
            ]
        case .number:
            [
                "number", "housenumber", "addr:housenumber", "house_number", "street_number", "house_no", "hausnummer",
                "nr",
                "numero", "no",
            ]
        case .city: ["city", "addr:city", "town", "place", "municipality", "locality", "ort", "commune", "comune"]
        case .postcode:
            ["postcode", "addr:postcode", "postal_code", "zip", "zipcode", "zip_code", "plz", "code_postal"]
        }
    }
}

/// Which column or property has which role: named by the client, or found by its common names, ignoring case.
struct ColumnNames: Sendable {
    /// The client's choice; other roles are searched for.
    var chosen: [ColumnRole: String] = [:]

    /// The role that a name may have and how well it fits, 0 being best.
    func role(
        of name: String, among roles: [ColumnRole] = ColumnRole.ofPlaces
    ) -> (role: ColumnRole, rank: Int)? {
        for role in roles {
            if let chosen = chosen[role] {
                if chosen == name { return (role, 0) }
            } else if let rank = role.commonNames.firstIndex(of: PositionColumns.title(name)) {
                return (role, rank)
            }
        }
        return nil
    }

    /// The column of each role that the header has; of several the likeliest, of equals the first.
    func columns(of header: [String], among roles: [ColumnRole] = ColumnRole.ofPlaces) -> [ColumnRole: Int] {
        var best: [ColumnRole: (rank: Int, column: Int)] = [:]
        for (column, name) in header.enumerated() {
            guard let found = role(of: name, among: roles) else { continue }
            if let known = best[found.role], known.rank <= found.rank { continue }
            best[found.role] = (found.rank, column)
        }
        return best.mapValues(\.column)
    }
}

/// Which column of a table has which role.
struct RowColumns: Sendable {
    private static let maximumListed = 20
    private static let maximumNamed = 3
    private static let ofAddress: Set<String> = ["street", "addr:street"]

    /// Nil when the file has no ids.
    let id: Int?
    let name: Int
    let categories: Int?
    /// Columns with a key of OpenStreetMap and its value, which make a category where no column has one; nil without.
    let tag: (key: Int, value: Int)?
    let position: PositionColumns
    /// Columns that become attributes, with their names.
    let others: [(column: Int, key: String)]

    init(_ header: [String], _ names: ColumnNames) throws(PlacesError) {
        let columns = names.columns(of: header)
        try Self.refuseMissing(names, columns, header)
        name = try Self.required(.name, columns, header)
        position = try Self.position(columns, header)
        id = columns[.id]
        categories = columns[.categories]
        let lower = header.map { $0.lowercased() }
        let (key, value) = (lower.firstIndex(of: "key"), lower.firstIndex(of: "value"))
        tag = columns[.categories] == nil ? key.flatMap { key in value.map { (key, $0) } } : nil
        others = Self.others(header, besides: columns)
    }

    /// The columns without a role, with their names.
    static func others(_ header: [String], besides columns: [ColumnRole: Int]) -> [(column: Int, key: String)] {
        // Who calls places by their streets still has addresses.
        let taken = Set(columns.values.filter { !ofAddress.contains(header[$0].lowercased()) })
        return header.indices.filter { !taken.contains($0) }.map { ($0, key(header[$0], $0)) }
    }

    /// Two columns, or else one with both.
    static func position(_ columns: [ColumnRole: Int], _ header: [String]) throws(PlacesError) -> PositionColumns {
        let isPair = columns[.latitude] != nil && columns[.longitude] != nil
        if !isPair, let point = columns[.point] { return .point(point) }
        return .pair(
            latitude: try required(.latitude, columns, header), longitude: try required(.longitude, columns, header))
    }

    /// Refuses a file without a column that the client has named.
    static func refuseMissing(
        _ names: ColumnNames, _ columns: [ColumnRole: Int], _ header: [String]
    ) throws(PlacesError) {
        for (role, chosen) in names.chosen where columns[role] == nil {
            throw .badFile(reason: "it has no column \(chosen.quoted); its columns are \(list(header))")
        }
    }

    private static func key(_ name: String, _ column: Int) -> String { name.isEmpty ? "column_\(column + 1)" : name }

    static func required(
        _ role: ColumnRole, _ columns: [ColumnRole: Int], _ header: [String]
    ) throws(PlacesError) -> Int {
        if let column = columns[role] { return column }
        let names = role.commonNames.prefix(maximumNamed).joined(separator: ", ")
        throw .badFile(reason: "no column is called \(names); its columns are \(list(header)); name the right one")
    }

    private static func list(_ header: [String]) -> String {
        let shown = header.prefix(maximumListed).map { $0.prefix(40) }.joined(separator: ", ")
        return header.count > maximumListed ? "\(shown) and \(header.count - maximumListed) more" : shown
    }
}
