import FeatureFiles
import Geo

extension Feature {
    /// Puts the feature's parts in a row.
    func fill(_ row: inout PlaceRow, _ roles: inout PropertyRoles) throws(RowProblem) {
        if let problem { throw problem }
        guard let position else { throw RowProblem("it has no geometry with a position") }
        row.latitude = position.latitude
        row.longitude = position.longitude
        row.attributes.removeAll(keepingCapacity: true)
        let chosen = roles.choose(properties.map(\.key))
        if chosen[.name] == nil, let address = roles.address(of: properties) {
            row.id = roles.isIDChosen ? nil : id
            if let index = chosen[.id] { row.id = row.id ?? properties[index].value }
            return try address.fields.fill(&row, others: address.others)
        }
        row.name = chosen[.name].map { properties[$0].value } ?? ""
        row.categories = chosen[.categories].map { properties[$0].value } ?? ""
        row.id = roles.isIDChosen ? "" : id
        if row.id == nil || roles.isIDChosen { row.id = chosen[.id].map { properties[$0].value } ?? row.id }
        for (index, property) in properties.enumerated() where !chosen.values.contains(index) {
            row.attributes.append(property)
        }
    }
}

/// Finds the properties that hold a feature's name, id and categories.
struct PropertyRoles {
    private static let maximumRemembered = 10_000
    private let names: ColumnNames
    private var remembered: [String: (role: ColumnRole, rank: Int)?] = [:]

    init(_ names: ColumnNames) { self.names = names }

    /// Whether the client named the property with the id; the feature's own id is an attribute of no interest then.
    var isIDChosen: Bool { names.chosen[.id] != nil }

    /// Which of these keys has which role; the position is no property.
    mutating func choose(_ keys: [String]) -> [ColumnRole: Int] {
        var best: [ColumnRole: (rank: Int, index: Int)] = [:]
        for (index, key) in keys.enumerated() {
            guard let found = role(of: key), found.role != .latitude, found.role != .longitude else { continue }
            if let known = best[found.role], known.rank <= found.rank { continue }
            best[found.role] = (found.rank, index)
        }
        return best.mapValues(\.index)
    }

    /// The address that properties make, and those that are no part of it; nil without a street and a number.
    func address(
        of properties: [(key: String, value: String)]
    ) -> (fields: AddressFields, others: [(key: String, value: String)])? {
        let columns = names.columns(of: properties.map(\.key), among: ColumnRole.ofAddresses)
        func value(_ role: ColumnRole) -> String { columns[role].map { properties[$0].value } ?? "" }
        var fields = columns[.number] == nil ? AddressFields(line: value(.street)) : AddressFields()
        if fields.street.isEmpty { (fields.street, fields.number) = (value(.street), value(.number)) }
        guard !fields.street.isEmpty, !fields.number.isEmpty else { return nil }
        if columns[.city] != nil { fields.city = value(.city) }
        fields.postcode = value(.postcode)
        let taken = Set(columns.values)
        return (fields, properties.indices.filter { !taken.contains($0) }.map { properties[$0] })
    }

    private mutating func role(of key: String) -> (role: ColumnRole, rank: Int)? {
        if let known = remembered[key] { return known }
        if remembered.count >= Self.maximumRemembered { remembered.removeAll() }
        let found = names.role(of: key)
        remembered[key] = .some(found)
        return found
    }
}
