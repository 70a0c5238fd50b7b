/// The answers to changes with a caller's name for them, so that a repeated call gets the first answer.
package enum RequestSchema {
    package static let migration = Migration(
        "0.2.0 requests",
        """
        CREATE TABLE requests (
            account TEXT NOT NULL,
            id TEXT NOT NULL,
            fingerprint BYTEA NOT NULL,
            answer BYTEA NOT NULL,
            created_ms BIGINT NOT NULL,
            PRIMARY KEY (account, id)
        );
        CREATE INDEX requests_by_time ON requests (created_ms);
        """)
}

/// A change named by its caller, and the answer that it got.
package struct RecordedRequest: Equatable, Sendable {
    /// Shows whether a repeated call asks for the same change.
    package let fingerprint: [UInt8]
    package let answer: [UInt8]

    package init(fingerprint: [UInt8], answer: [UInt8]) {
        self.fingerprint = fingerprint
        self.answer = answer
    }
}

extension Transaction {
    /// The recorded answer to a change, unless the change was made before `oldest` (milliseconds since 1970).
    package func recordedRequest(
        _ id: String, of account: String, notBefore oldest: Int64
    ) throws(SQLError) -> RecordedRequest? {
        try first(
            "SELECT fingerprint, answer FROM requests WHERE account = ?1 AND id = ?2 AND created_ms >= ?3",
            account, id, oldest
        ) { row throws(SQLError) in RecordedRequest(fingerprint: try row.blob(0), answer: try row.blob(1)) }
    }

    /// Records the answer to a change.
    package func record(
        _ request: RecordedRequest, _ id: String, of account: String, at time: Int64
    ) throws(SQLError) {
        try execute(
            """
            INSERT INTO requests (account, id, fingerprint, answer, created_ms) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (account, id) DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer,
                created_ms = excluded.created_ms
            """, account, id, request.fingerprint, request.answer, time)
    }

    /// Deletes answers from before `time`, at most `limit` of them; returns how many.
    package func deleteRequests(before time: Int64, limit: Int) throws(SQLError) -> Int {
        try change(
            """
            DELETE FROM requests WHERE (account, id) IN
                (SELECT account, id FROM requests WHERE created_ms < ?1 ORDER BY created_ms LIMIT ?2)
            """, time, limit)
    }
}
