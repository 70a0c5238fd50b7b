import Geo

/// One feature of a GeoJSON file as it is being read.
struct Feature {
    /// More positions than this are not collected; the feature is refused.
    static let mostPositions = 100_000
    /// Properties beyond so many bytes are not collected; the feature is refused.
    static let mostPropertyBytes = 256 << 10

    /// Counted from 1.
    let number: UInt64
    /// The member "id" of the feature itself.
    var id: String?
    private(set) var properties: [(key: String, value: String)] = []
    private(set) var positions: [Geo.Coordinate] = []
    /// The first error found in it.
    private(set) var problem: RowProblem?
    private var propertyBytes = 0

    init(number: UInt64) { self.number = number }

    mutating func note(_ reason: String) { problem = problem ?? RowProblem(reason) }

    mutating func add(property key: String, _ value: String) {
        propertyBytes += key.utf8.count + value.utf8.count
        guard propertyBytes <= Self.mostPropertyBytes else {
            return note("its properties take more than \(Self.mostPropertyBytes) bytes")
        }
        if !value.isEmpty { properties.append((key, value)) }
    }

    mutating func add(position: [Double]) {
        guard position.count >= 2 else { return note("a position has \(position.count) numbers, 2 are needed") }
        guard positions.count < Self.mostPositions else {
            return note("its geometry has more than \(Self.mostPositions) positions")
        }
        do throws(GeoError) {
            positions.append(try Geo.Coordinate(latitude: position[1], longitude: position[0]))
        } catch {
            note(error.description)
        }
    }

    /// Its position: the point itself, or for lines and areas the middle of the smallest box around them.
    var position: Geo.Coordinate? { positions.count == 1 ? positions[0] : Box(around: positions)?.centre }

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
    private static let mostRemembered = 10_000
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
        if remembered.count >= Self.mostRemembered { remembered.removeAll() }
        let found = names.role(of: key)
        remembered[key] = .some(found)
        return found
    }
}
