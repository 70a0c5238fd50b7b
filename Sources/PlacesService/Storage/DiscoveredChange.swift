import Contracts
import Geo
import Storage
import Wire

/// A row of the table of discovered places.
struct DiscoveredChange: Sendable {
    let network: Network
    let version: Int64
    /// "openstreetmap/node/1001"
    let id: String
    /// Nil: it is gone, or its record can't be read.
    let place: Place?
}

extension DiscoveryStore {
    /// Rows above a version, in its order.
    func changes(above version: Int64, limit: Int) async throws -> [DiscoveredChange] {
        let rows = try await database.read { transaction throws(SQLError) in
            try transaction.rows(
                """
                SELECT network, id, version, removed, record FROM discovered_place
                WHERE version > ?1 ORDER BY version LIMIT ?2
                """, version, Int64(limit)
            ) { row throws(SQLError) in
                (
                    network: try row.text(0), id: try row.text(1), version: try row.integer(2),
                    isRemoved: try row.bool(3), record: try row.blob(4)
                )
            }
        }
        return rows.compactMap { row -> DiscoveredChange? in
            // A row of a network that this build does not know is left alone.
            guard let network = Network(rawValue: row.network) else { return nil }
            return DiscoveredChange(
                network: network, version: row.version, id: "\(row.network)/\(row.id)",
                place: row.isRemoved ? nil : try? Place(packed: row.record))
        }
    }
}

extension SnapshotBuilder {
    /// Adds a place in the form in which the catalog keeps it.
    mutating func add(_ place: Place) throws {
        var text = FoldedText(place.name)
        for attribute in place.attributes where NameKeys.contains(attribute.key) { text.add(attribute.value) }
        var record: [UInt8] = []
        StoredPlace.write(text: text.bytes, to: &record)
        record.append(contentsOf: place.packedBytes())
        let position = place.position ?? Contracts.Coordinate()
        try add(
            id: Array(place.id.utf8),
            at: try Geo.Coordinate(latitude: position.latitude, longitude: position.longitude),
            categories: try categorySet(place.categories.map { Array($0.utf8) }), record: record)
    }
}
