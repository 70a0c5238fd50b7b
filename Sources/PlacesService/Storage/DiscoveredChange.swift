import Contracts
import Geo
import Storage
import Wire

/// A row of the table of discovered places.
struct DiscoveredChange: Sendable {
    let version: Int64
    /// "openstreetmap/node/1001"
    let id: String
    /// Nil: it is gone, or its record can't be read.
    let place: Place?
}

extension DiscoveryStore {
    /// Rows of a network above a version, in its order.
    func changes(of network: Network, above version: Int64, limit: Int) async throws -> [DiscoveredChange] {
        let rows = try await database.read { transaction throws(SQLError) in
            try transaction.rows(
                """
                SELECT id, version, removed, record FROM discovered_place
                WHERE network = ?1 AND version > ?2 ORDER BY version LIMIT ?3
                """, network.rawValue, version, Int64(limit)
            ) { row throws(SQLError) in
                (
                    id: try row.text(0), version: try row.integer(1), isRemoved: try row.bool(2),
                    record: try row.blob(3)
                )
            }
        }
        return rows.map { row in
            DiscoveredChange(
                version: row.version, id: "\(network.rawValue)/\(row.id)",
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
