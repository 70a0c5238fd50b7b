import FeatureFiles

/// Which column of a table of addresses has which role.
struct AddressColumns: Sendable {
    /// The street; without `number` it has the house number with it.
    let street: Int
    let number: Int?
    let city: Int?
    let postcode: Int?
    let position: PositionColumns
    /// Nil when the file has no ids; one may have some.
    let id: Int?
    /// Columns that become attributes, with their names.
    let others: [(column: Int, key: String)]

    /// Whether a header is that of a table of addresses: it has streets, and nothing that is called a name.
    static func areMeant(by header: [String], _ names: ColumnNames) -> Bool {
        if names.chosen[.name] != nil || names.columns(of: header)[.name] != nil { return false }
        return names.columns(of: header, among: ColumnRole.ofAddresses)[.street] != nil
    }

    init(_ header: [String], _ names: ColumnNames) throws(PlacesError) {
        let columns = names.columns(of: header, among: ColumnRole.ofAddresses)
        try RowColumns.refuseMissing(names, columns, header)
        street = try RowColumns.required(.street, columns, header)
        position = try RowColumns.position(columns, header)
        (number, city, postcode, id) = (columns[.number], columns[.city], columns[.postcode], columns[.id])
        others = RowColumns.others(header, besides: columns)
    }
}
