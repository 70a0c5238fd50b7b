import Geo
import Storage
import Stores

// Rows of the places that are linked to pins.

extension Transaction {
    /// A page of a pin's places, nearest first.
    func links(_ listing: PlaceListing) throws(SQLError) -> [LinkedPlace] {
        try rows(
            """
            SELECT place, name, categories, latitude_e7, longitude_e7, distance_m, photo_count, version
            FROM links
            WHERE pin = ?1 AND (distance_m, place) > (?2, ?3) AND (?4 = FALSE OR photo_count > 0)
                AND (?5 = '' OR ?5 LIKE '%,' || network || ',%')
            ORDER BY distance_m, place LIMIT ?6
            """,
            listing.pin, listing.after.metres, listing.after.id, listing.withPhotos, listing.networkList, listing.limit
        ) { row throws(SQLError) in try LinkedPlace(row) }
    }

    /// How many places of a pin match the filter of a query.
    func linkCount(_ listing: PlaceListing) throws(SQLError) -> Int64 {
        try first(
            """
            SELECT count(*) FROM links
            WHERE pin = ?1 AND (?2 = FALSE OR photo_count > 0) AND (?3 = '' OR ?3 LIKE '%,' || network || ',%')
            """, listing.pin, listing.withPhotos, listing.networkList
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }

    /// The positions of a pin's places.
    func positions(ofPlacesOf pin: PinID) throws(SQLError) -> [Coordinate] {
        try rows("SELECT latitude_e7, longitude_e7 FROM links WHERE pin = ?1", pin) { row throws(SQLError) in
            try row.coordinate(0)
        }
    }

    /// Updates the distances of all places of a pin, some thousands at a time.
    func measureLinks(of pin: PinID, from position: Coordinate) throws(SQLError) {
        var last = ""
        while true {
            let part = try rows(
                "SELECT place, latitude_e7, longitude_e7 FROM links WHERE pin = ?1 AND place > ?2 ORDER BY place LIMIT 2000",
                pin, last
            ) { row throws(SQLError) in (place: try row.text(0), position: try row.coordinate(1)) }
            guard let end = part.last else { return }
            for link in part {
                try execute(
                    "UPDATE links SET distance_m = ?3 WHERE pin = ?1 AND place = ?2",
                    pin, link.place, position.metres(to: link.position))
            }
            last = end.place
        }
    }

    /// Counts a pin's places again and gives it a version, which no other pin may have.
    func recount(_ pin: PinID, version: Int64) throws(SQLError) {
        try execute(
            """
            UPDATE pins SET version = ?2, (place_count, photo_place_count, photo_count) = (
                SELECT count(*), count(CASE WHEN photo_count > 0 THEN 1 END), coalesce(sum(photo_count), 0)
                FROM links WHERE pin = ?1)
            WHERE id = ?1
            """, pin, version)
    }
}

extension PlaceListing {
    /// The networks in one text, in the form that the statements compare: ",catalog,".
    fileprivate var networkList: String { networks.isEmpty ? "" : ",\(networks.joined(separator: ","))," }
}

// Rows of the places around a pin that are not linked to it.

extension Transaction {
    /// Records neighbours of a pin, except places that are linked to it.
    func recordNeighbours(_ neighbours: [Neighbour], of pin: PinID) throws(SQLError) {
        for neighbour in neighbours {
            try execute(
                """
                INSERT INTO neighbours (pin, place, latitude_e7, longitude_e7, minor, is_told)
                SELECT ?1, ?2, ?3, ?4, ?5, FALSE
                WHERE NOT EXISTS (SELECT 1 FROM links WHERE pin = ?1 AND place = ?2)
                ON CONFLICT (pin, place) DO UPDATE SET latitude_e7 = excluded.latitude_e7,
                    longitude_e7 = excluded.longitude_e7, minor = excluded.minor, is_told = FALSE
                WHERE neighbours.latitude_e7 <> excluded.latitude_e7
                    OR neighbours.longitude_e7 <> excluded.longitude_e7 OR neighbours.minor <> excluded.minor
                """, pin, neighbour.id, Int64(neighbour.position.latitudeE7), Int64(neighbour.position.longitudeE7),
                neighbour.isMinor ? 1 : 0)
        }
    }
}
