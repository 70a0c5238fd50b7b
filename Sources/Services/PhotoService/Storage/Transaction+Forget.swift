import Storage
import Stores

extension Transaction {
    /// How long a pin stays recorded as forgotten, in milliseconds: longer than any call about it is repeated.
    static var tombstoneLife: Int64 { 86_400_000 }

    func isForgotten(_ pin: String) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM forgotten WHERE pin = ?1", pin) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Removes a pin's album, and the albums of places that only this pin had. A late call about the pin finds that it
    /// is forgotten.
    func forgetPin(_ pin: String, at time: Int64) throws(SQLError) {
        let lonely = try placesOnly(of: pin)
        try dropAlbum(.pin(pin))
        try execute("DELETE FROM search_places WHERE pin = ?1", pin)
        try forgetPlaces(lonely, at: time)
        try execute(
            "INSERT INTO forgotten (pin, forgotten_ms) VALUES (?1, ?2) ON CONFLICT (pin) DO NOTHING", pin, time)
    }

    /// The places that no other pin has.
    private func placesOnly(of pin: String) throws(SQLError) -> [KnownPlace] {
        try rows(
            """
            SELECT known_places.place, latitude_e7, longitude_e7
            FROM search_places AS mine JOIN known_places ON known_places.place = mine.place
            WHERE mine.pin = ?1 AND NOT EXISTS (
                SELECT 1 FROM search_places AS other WHERE other.place = mine.place AND other.pin <> ?1)
            """, pin
        ) { row throws(SQLError) in KnownPlace(id: try row.text(0), position: try row.coordinate(1)) }
    }

    /// Removes an album and everything recorded for it; false when there was none.
    @discardableResult
    func dropAlbum(_ album: AlbumSubject) throws(SQLError) -> Bool {
        let subject = album.text
        guard try change("DELETE FROM albums WHERE subject = ?1", subject) > 0 else { return false }
        try execute("DELETE FROM album_photos WHERE subject = ?1", subject)
        try execute("DELETE FROM album_shown WHERE subject = ?1", subject)
        try execute("DELETE FROM removals WHERE subject = ?1", subject)
        for kind in ["search", RelistJob.name, "collect", NamedJob.name] { try cancelJob(kind, subject) }
        _ = try nextVersion()
        return true
    }

    /// Deletes the records of pins forgotten before `time`, at most `limit` of them; returns how many.
    func dropTombstones(before time: Int64, limit: Int) throws(SQLError) -> Int {
        try change(
            """
            DELETE FROM forgotten WHERE pin IN
                (SELECT pin FROM forgotten WHERE forgotten_ms < ?1 ORDER BY forgotten_ms LIMIT ?2)
            """, time, limit)
    }
}
