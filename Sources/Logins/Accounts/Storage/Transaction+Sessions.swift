import RPC
import Storage

// Rows of sessions. A session is found by the digest of its token alone.

extension Transaction {
    /// How many sessions an account has at most: the one that was used longest ago ends.
    static let maximumSessions = 100

    func insert(_ session: StoredSession, digest: [UInt8]) throws(SQLError) {
        try execute(
            """
            INSERT INTO sessions (digest, id, account, roles, device, address, created_ms, used_ms, expires_ms,
                deployment_token)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """, digest, session.id, session.account, Int64(session.roles), session.device, session.address,
            session.createdMilliseconds, session.usedMilliseconds, session.expiresMilliseconds,
            session.deploymentToken)
        try execute(
            """
            DELETE FROM sessions WHERE account = ?1 AND id NOT IN
                (SELECT id FROM sessions WHERE account = ?1 ORDER BY used_ms DESC, id DESC LIMIT ?2)
            """, session.account, Self.maximumSessions)
        try execute(
            """
            INSERT INTO account_addresses (account, address, used_ms) VALUES (?1, ?2, ?3)
            ON CONFLICT (account, address) DO UPDATE SET used_ms = excluded.used_ms
            """, session.account, session.address, session.createdMilliseconds)
    }

    /// The session of a token that has not ended, with what its account may do.
    func session(_ digest: [UInt8], at time: Int64) throws(SQLError) -> (StoredSession, Roles)? {
        let found = try first(
            """
            SELECT s.id, s.account, s.roles, s.device, s.address, s.created_ms, s.used_ms, s.expires_ms,
                s.deployment_token, a.roles, a.is_locked
            FROM sessions AS s LEFT JOIN accounts AS a ON a.id = s.account WHERE s.digest = ?1 AND s.expires_ms > ?2
            """, digest, time
        ) { row throws(SQLError) -> (StoredSession, Roles)? in
            let session = try row.session
            let own = Roles(rawValue: session.roles)
            if !session.deploymentToken.isEmpty { return (session, own) }
            guard let roles = try row.optionalInteger(9), try !row.bool(10) else { return nil }
            return (session, own.intersection(Roles(rawValue: UInt8(truncatingIfNeeded: roles))))
        }
        return found ?? nil
    }

    func sessions(of account: String, at time: Int64) throws(SQLError) -> [StoredSession] {
        try rows(
            """
            SELECT id, account, roles, device, address, created_ms, used_ms, expires_ms, deployment_token FROM sessions
            WHERE account = ?1 AND expires_ms > ?2 ORDER BY used_ms DESC, id DESC LIMIT ?3
            """, account, time, Self.maximumSessions
        ) { row throws(SQLError) in try row.session }
    }

    /// Makes a session that is used last longer.
    func use(_ digest: [UInt8], at time: Int64, until end: Int64) throws(SQLError) {
        try execute("UPDATE sessions SET used_ms = ?2, expires_ms = ?3 WHERE digest = ?1", digest, time, end)
    }

    /// Ends the session of a token, and returns it.
    func end(_ digest: [UInt8]) throws(SQLError) -> StoredSession? {
        try first(
            """
            DELETE FROM sessions WHERE digest = ?1
            RETURNING id, account, roles, device, address, created_ms, used_ms, expires_ms, deployment_token
            """, digest
        ) { row throws(SQLError) in try row.session }
    }

    /// Ends one session of an account. Returns how many that were.
    func endSession(_ id: String, of account: String) throws(SQLError) -> Int {
        try change("DELETE FROM sessions WHERE account = ?1 AND id = ?2", account, id)
    }

    /// Ends all sessions of an account but one. Returns how many.
    func endSessions(of account: String, but id: String?) throws(SQLError) -> Int {
        try change("DELETE FROM sessions WHERE account = ?1 AND id <> ?2", account, id ?? "")
    }

    /// Whether the account was logged in to from an address.
    func isKnown(_ address: String, of account: String) throws(SQLError) -> Bool {
        try first(
            "SELECT 1 FROM account_addresses WHERE account = ?1 AND address = ?2", account, address
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }
}

extension Row {
    /// The columns id, account, roles, device, address, created_ms, used_ms, expires_ms, deployment_token.
    fileprivate var session: StoredSession {
        get throws(SQLError) {
            StoredSession(
                id: try text(0), account: try text(1), roles: UInt8(truncatingIfNeeded: try integer(2)),
                device: try text(3), address: try text(4), createdMilliseconds: try integer(5),
                usedMilliseconds: try integer(6), expiresMilliseconds: try integer(7), deploymentToken: try blob(8))
        }
    }
}
