import Geo
import Storage

// Rows of the places around a pin that are not linked to it.

extension Transaction {
    /// Notes neighbours of a pin, without the places that are linked to it. False when the pin is gone.
    func note(_ neighbours: [Neighbour], of pin: PinID) throws(SQLError) -> Bool {
        guard try self.pin(pin) != nil else { return false }
        for neighbour in neighbours {
            try execute(
                """
                INSERT INTO neighbours (pin, place, latitude_e7, longitude_e7, is_told)
                SELECT ?1, ?2, ?3, ?4, FALSE
                WHERE NOT EXISTS (SELECT 1 FROM links WHERE pin = ?1 AND place = ?2)
                ON CONFLICT (pin, place) DO UPDATE SET latitude_e7 = excluded.latitude_e7,
                    longitude_e7 = excluded.longitude_e7, is_told = FALSE
                WHERE neighbours.latitude_e7 <> excluded.latitude_e7
                    OR neighbours.longitude_e7 <> excluded.longitude_e7
                """, pin, neighbour.id, Int64(neighbour.position.latitudeE7), Int64(neighbour.position.longitudeE7))
        }
        return true
    }
}
