import LoginProviders
import Storage

// Which sessions were begun with a login provider, and who has logged out there.

extension AccountSchema {
    /// A log-out is kept by the digest of its issuer and name.
    static let logOuts = Migration(
        "0.2.0 log-outs of login providers",
        """
        CREATE TABLE provider_log_outs (
            digest BYTEA PRIMARY KEY,
            issuer TEXT NOT NULL,
            subject TEXT,
            provider_session TEXT,
            issued_s BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL
        );
        CREATE INDEX provider_log_outs_by_time ON provider_log_outs (issuer, issued_s);
        CREATE INDEX provider_log_outs_by_end ON provider_log_outs (expires_ms);
        """)
}

extension Transaction {
    /// Notes with whose login at a provider a session was begun.
    func bind(session digest: [UInt8], to person: ProvenPerson) throws(SQLError) {
        try execute(
            "UPDATE sessions SET issuer = ?2, subject = ?3, provider_session = ?4 WHERE digest = ?1", digest,
            person.issuer, person.subject, person.session)
    }

    /// Keeps a log-out; false when it is known already.
    func insert(_ logOut: ProvenLogOut, digest: [UInt8], until end: Int64) throws(SQLError) -> Bool {
        try change(
            """
            INSERT INTO provider_log_outs (digest, issuer, subject, provider_session, issued_s, expires_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (digest) DO NOTHING
            """, digest, logOut.issuer, logOut.subject, logOut.session, logOut.issuedAt, end) > 0
    }

    /// Whether a person has logged out since the provider vouched for them.
    func hasLoggedOut(_ person: ProvenPerson) throws(SQLError) -> Bool {
        guard let issued = person.issuedAt else { return false }
        return try first(
            """
            SELECT 1 FROM provider_log_outs WHERE issuer = ?1 AND issued_s >= ?4
                AND (subject = ?2 AND provider_session IS NULL OR provider_session = ?3)
            """, person.issuer, person.subject, person.session, issued
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Ends the sessions that a log-out is of. Returns the account of each.
    func endSessions(of logOut: ProvenLogOut) throws(SQLError) -> [String] {
        if let session = logOut.session {
            return try rows(
                """
                DELETE FROM sessions WHERE issuer = ?1 AND provider_session = ?2
                    AND (CAST(?3 AS TEXT) IS NULL OR subject = ?3)
                RETURNING account
                """, logOut.issuer, session, logOut.subject
            ) { row throws(SQLError) in try row.text(0) }
        }
        return try rows(
            "DELETE FROM sessions WHERE issuer = ?1 AND subject = ?2 RETURNING account", logOut.issuer, logOut.subject
        ) { row throws(SQLError) in try row.text(0) }
    }

    func deleteExpiredLogOuts(at time: Int64) throws(SQLError) -> Int {
        try change("DELETE FROM provider_log_outs WHERE expires_ms <= ?1", time)
    }
}
