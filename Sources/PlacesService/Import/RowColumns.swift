import Refusals

/// Which column of a table holds what.
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
        let usual = role.usualNames.joined(separator: ", ")
        throw .badFile(reason: "no column is called \(usual); its columns are \(list(header)); name the right one")
    }

    private static func list(_ header: [String]) -> String {
        let shown = header.prefix(mostListed).map { $0.prefix(40) }.joined(separator: ", ")
        return header.count > mostListed ? "\(shown) and \(header.count - mostListed) more" : shown
    }
}
