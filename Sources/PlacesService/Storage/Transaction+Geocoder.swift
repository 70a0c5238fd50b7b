import Storage

extension Transaction {
    /// The packed answer of another geocoder that is kept under a key; nil when there is none, or it has expired at a
    /// time in milliseconds since 1970.
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

    /// Forgets answers that expired before a time.
    func forgetGeocoderAnswers(expiredBefore time: Int64) throws(SQLError) {
        try execute("DELETE FROM geocoder_answers WHERE expires_ms < ?1", time)
    }
}
