import Storage

extension Transaction {
    /// How long a pin stays forgotten, in milliseconds: longer than any call about it is repeated.
    static var tombstoneLife: Int64 { 86_400_000 }

    func isForgotten(_ pin: String) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM forgotten WHERE pin = ?1", pin) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Removes a pin's album, and the albums of places that only this pin had. What comes late about the pin finds that
    /// it is forgotten.
    func forget(pin: String, at time: Int64) throws(SQLError) {
        let subject = AlbumSubject.pin(pin).text
        try forgetPlaces(of: pin)
        try execute("DELETE FROM albums WHERE subject = ?1", subject)
        try execute("DELETE FROM album_photos WHERE subject = ?1", subject)
        try execute("DELETE FROM album_shown WHERE subject = ?1", subject)
        try execute("DELETE FROM removals WHERE subject = ?1", subject)
        try execute("DELETE FROM search_places WHERE pin = ?1", pin)
        for kind in ["search", "collect"] { try cancelJob(kind, subject) }
        try execute(
            "INSERT INTO forgotten (pin, forgotten_ms) VALUES (?1, ?2) ON CONFLICT (pin) DO NOTHING", pin, time)
    }

    private func forgetPlaces(of pin: String) throws(SQLError) {
        let lonely = try rows(
            """
            SELECT mine.place FROM search_places AS mine
            WHERE mine.pin = ?1 AND NOT EXISTS (
                SELECT 1 FROM search_places AS other WHERE other.place = mine.place AND other.pin <> ?1)
            """, pin
        ) { row throws(SQLError) in AlbumSubject.place(try row.text(0)).text }
        for subject in lonely where try execute("DELETE FROM albums WHERE subject = ?1", subject) > 0 {
            try execute("DELETE FROM album_photos WHERE subject = ?1", subject)
            try execute("DELETE FROM album_shown WHERE subject = ?1", subject)
            try execute("DELETE FROM removals WHERE subject = ?1", subject)
            try cancelJob("collect", subject)
        }
    }

    /// Forgets that pins were forgotten before `time`, at most `limit` of them; gives how many.
    func dropTombstones(before time: Int64, limit: Int) throws(SQLError) -> Int {
        try execute(
            """
            DELETE FROM forgotten WHERE pin IN
                (SELECT pin FROM forgotten WHERE forgotten_ms < ?1 ORDER BY forgotten_ms LIMIT ?2)
            """, time, limit)
    }
}
