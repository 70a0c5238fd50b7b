import PlaceContracts
import Geo
import Networks
import Storage
import Stores
import Texts
import Wire

extension Transaction {
    /// Stores a place; an unchanged one keeps its version.
    func upsert(_ place: FoundPlace, _ record: [UInt8], _ network: Network, seen: Int64) throws(SQLError) {
        let known = try change(
            """
            UPDATE discovered_place SET seen_ms = ?4 WHERE network = ?1 AND id = ?2 AND record = ?3 AND removed = FALSE
            """, network.name, place.id, record, seen)
        guard known == 0 else { return }
        try execute(
            """
            INSERT INTO discovered_place
                (network, id, cell, grid_cell, latitude_e7, longitude_e7, seen_ms, record, removed, version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, FALSE, ?9)
            ON CONFLICT (network, id) DO UPDATE SET cell = excluded.cell, grid_cell = excluded.grid_cell,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7, seen_ms = excluded.seen_ms,
                record = excluded.record, removed = FALSE, version = excluded.version
            """, network.name, place.id, Cell.id(of: place.position), GridCell(of: place.position).number,
            Int64(place.position.latitudeE7), Int64(place.position.longitudeE7), seen, record, try nextVersion())
    }

    /// The ids of a cell's places that were in no answer since a time.
    func unseen(_ network: Network, in cell: GridCell, since time: Int64) throws(SQLError) -> [String] {
        try rows(
            """
            SELECT id FROM discovered_place
            WHERE network = ?1 AND grid_cell = ?2 AND seen_ms < ?3 AND removed = FALSE
            """, network.name, cell.number, time
        ) { row throws(SQLError) in try row.text(0) }
    }

    func remove(_ network: Network, _ id: String) throws(SQLError) {
        try execute(
            "UPDATE discovered_place SET removed = TRUE, version = ?3 WHERE network = ?1 AND id = ?2", network.name,
            id, try nextVersion())
        try disown(network, id)
    }

    /// The positions of an account's places of a network within a circle, and some around it.
    func positions(
        _ network: Network, around centre: Geo.Coordinate, radiusMetres: Double, of account: String
    ) throws(SQLError) -> [Geo.Coordinate] {
        var positions: [Geo.Coordinate] = []
        for range in Cell.cover(centre: centre, radiusMetres: radiusMetres) {
            positions += try rows(
                """
                SELECT latitude_e7, longitude_e7 FROM discovered_place
                WHERE network = ?1 AND cell BETWEEN ?2 AND ?3 AND removed = FALSE
                    AND EXISTS (SELECT 1 FROM own_places WHERE own_places.account = ?4
                        AND own_places.network = discovered_place.network AND own_places.id = discovered_place.id)
                """, network.name, range.lowerBound, range.upperBound, account
            ) { row throws(SQLError) in try row.coordinate(0) }
        }
        return positions
    }
}

extension FoundPlace {
    /// The stored and returned form of the place: a packed Place message.
    func record(of network: Network) -> [UInt8] {
        Place(
            id: "\(network.name)/\(id)", name: name, categories: categories,
            position: BaseContracts.Coordinate(latitude: position.latitude, longitude: position.longitude),
            attributes: attributes.map { PlaceContracts.Attribute(key: $0.key, value: $0.value) }
        ).packedBytes()
    }
}

extension Transaction {
    /// The packed answer of another geocoder stored under a key; nil when there is none, or it has expired at a time in
    /// milliseconds since 1970.
    func geocoderAnswer(_ key: String, at now: Int64) throws(SQLError) -> [UInt8]? {
        try first("SELECT answer FROM geocoder_answers WHERE question = ?1 AND expires_ms > ?2", key, now) {
            row throws(SQLError) in try row.blob(0)
        }
    }

    func putGeocoderAnswer(_ key: String, _ answer: [UInt8], expires: Int64) throws(SQLError) {
        try execute(
            """
            INSERT INTO geocoder_answers (question, answer, expires_ms) VALUES (?1, ?2, ?3)
            ON CONFLICT (question) DO UPDATE SET answer = excluded.answer, expires_ms = excluded.expires_ms
            """, key, answer, expires)
    }

    /// Deletes answers that expired before a time.
    func deleteGeocoderAnswers(expiredBefore time: Int64) throws(SQLError) {
        try execute("DELETE FROM geocoder_answers WHERE expires_ms < ?1", time)
    }
}

/// A row of the table of discovered places.
struct DiscoveredChange: Sendable {
    let version: Int64
    /// "openstreetmap/node/1001"
    let id: String
    /// Nil: it was removed, or its record can't be read.
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
                """, network.name, version, Int64(limit)
            ) { row throws(SQLError) in
                (
                    id: try row.text(0), version: try row.integer(1), isRemoved: try row.bool(2),
                    record: try row.blob(3)
                )
            }
        }
        return rows.map { row in
            DiscoveredChange(
                version: row.version, id: "\(network.name)/\(row.id)",
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
        let position = place.position ?? BaseContracts.Coordinate()
        try add(
            id: Array(place.id.utf8),
            at: try Geo.Coordinate(latitude: position.latitude, longitude: position.longitude),
            categories: try categorySet(place.categories.map { Array($0.utf8) }), record: record)
    }
}
