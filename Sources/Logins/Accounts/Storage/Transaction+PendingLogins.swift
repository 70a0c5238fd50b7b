import Storage

/// A login in a browser that has begun and not come back yet.
struct PendingLogin: Equatable, Sendable {
    /// How long it is waited for, in milliseconds.
    static let life: Int64 = 600_000

    /// Whether an identity is to be linked to the account of a session.
    struct Link: Equatable, Sendable {
        let account: String
        let session: String
    }

    let provider: String
    /// Nil for a login.
    let link: Link?
    let device: String
    /// The digest of the token of the session that ends with it; empty for none.
    let former: [UInt8]
    /// Milliseconds since 1970.
    let expiresMilliseconds: Int64
}

/// The digests by which a pending login is found.
struct PendingDigests: Sendable {
    let state: [UInt8]
    let browser: [UInt8]
}

extension Transaction {
    func insert(_ login: PendingLogin, _ digests: PendingDigests) throws(SQLError) {
        try execute(
            """
            INSERT INTO pending_logins (state, browser, provider, account, session, device, former, expires_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """, digests.state, digests.browser, login.provider, login.link?.account ?? "", login.link?.session ?? "",
            login.device, login.former, login.expiresMilliseconds)
    }

    /// Uses a pending login up; nil when there is none, of this browser and for this provider. It stays when only its
    /// state is right, so that no one ends the login of someone else.
    func takePending(_ digests: PendingDigests, _ provider: String, at time: Int64) throws(SQLError) -> PendingLogin? {
        let found = try first(
            """
            DELETE FROM pending_logins WHERE state = ?1 AND browser = ?2 AND provider = ?3
            RETURNING account, session, device, former, expires_ms
            """, digests.state, digests.browser, provider
        ) { row throws(SQLError) in
            let account = try row.text(0)
            return PendingLogin(
                provider: provider,
                link: account.isEmpty ? nil : PendingLogin.Link(account: account, session: try row.text(1)),
                device: try row.text(2), former: try row.blob(3), expiresMilliseconds: try row.integer(4))
        }
        return found.flatMap { $0.expiresMilliseconds > time ? $0 : nil }
    }

    /// Notes that an app's ID token was used; false when it was before.
    func useToken(_ digest: [UInt8], until end: Int64) throws(SQLError) -> Bool {
        try change(
            "INSERT INTO used_id_tokens (digest, expires_ms) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING", digest,
            end) > 0
    }

    /// Logins that did not come back, and tokens that are over.
    func deleteExpiredLogins(at time: Int64) throws(SQLError) -> Int {
        try change("DELETE FROM pending_logins WHERE expires_ms <= ?1", time)
            + change("DELETE FROM used_id_tokens WHERE expires_ms <= ?1", time)
    }
}
