import LoginProviders
import Storage

/// An identity at a login provider, which belongs to an account.
struct StoredIdentity: Equatable, Sendable {
    /// Names it; not a secret.
    let id: String
    let account: String
    /// The provider's name.
    let provider: String
    /// What the provider calls the person.
    let name: String
    /// Times in milliseconds since 1970.
    let linkedMilliseconds: Int64
    var usedMilliseconds: Int64
}

extension AccountSchema {
    /// An identity is found by `issuer` and `subject` alone. Of a pending login only digests are kept; `account` and
    /// `session` are those that an identity is linked to, and empty for a login. `former` is the digest of the token of
    /// the session that ends with it. `used_id_tokens` are those of apps, by the digest of their issuer and nonce.
    static let identities = Migration(
        "0.2.0 identities",
        """
        CREATE TABLE identities (
            issuer TEXT NOT NULL,
            subject TEXT NOT NULL,
            id TEXT NOT NULL,
            account TEXT NOT NULL,
            provider TEXT NOT NULL,
            name TEXT NOT NULL,
            linked_ms BIGINT NOT NULL,
            used_ms BIGINT NOT NULL,
            PRIMARY KEY (issuer, subject)
        );
        CREATE INDEX identities_by_account ON identities (account, linked_ms, id);
        CREATE TABLE pending_logins (
            state BYTEA PRIMARY KEY,
            browser BYTEA NOT NULL,
            provider TEXT NOT NULL,
            account TEXT NOT NULL,
            session TEXT NOT NULL,
            device TEXT NOT NULL,
            former BYTEA NOT NULL,
            expires_ms BIGINT NOT NULL
        );
        CREATE INDEX pending_logins_by_end ON pending_logins (expires_ms);
        CREATE INDEX pending_logins_by_account ON pending_logins (account);
        CREATE TABLE used_id_tokens (digest BYTEA PRIMARY KEY, expires_ms BIGINT NOT NULL);
        CREATE INDEX used_id_tokens_by_end ON used_id_tokens (expires_ms);
        """)
}

extension Transaction {
    /// How many identities an account has at most.
    static let maximumIdentities = 20

    func insert(_ identity: StoredIdentity, of person: ProvenPerson) throws(SQLError) {
        try execute(
            """
            INSERT INTO identities (issuer, subject, id, account, provider, name, linked_ms, used_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """, person.issuer, person.subject, identity.id, identity.account, identity.provider, identity.name,
            identity.linkedMilliseconds, identity.usedMilliseconds)
    }

    func identity(of person: ProvenPerson) throws(SQLError) -> StoredIdentity? {
        try first(
            """
            SELECT id, account, provider, name, linked_ms, used_ms FROM identities WHERE issuer = ?1 AND subject = ?2
            """, person.issuer, person.subject
        ) { row throws(SQLError) in try row.identity }
    }

    /// Notes that an identity was used, and what the provider calls the person now.
    func use(_ person: ProvenPerson, at time: Int64) throws(SQLError) {
        try execute(
            "UPDATE identities SET used_ms = ?3, name = ?4 WHERE issuer = ?1 AND subject = ?2", person.issuer,
            person.subject, time, person.name)
    }

    /// In the order in which they were linked.
    func identities(of account: String) throws(SQLError) -> [StoredIdentity] {
        try rows(
            """
            SELECT id, account, provider, name, linked_ms, used_ms FROM identities WHERE account = ?1
            ORDER BY linked_ms, id LIMIT ?2
            """, account, Self.maximumIdentities
        ) { row throws(SQLError) in try row.identity }
    }

    func removeIdentity(_ id: String, of account: String) throws(SQLError) {
        try execute("DELETE FROM identities WHERE account = ?1 AND id = ?2", account, id)
    }
}

extension Row {
    /// The columns id, account, provider, name, linked_ms, used_ms.
    fileprivate var identity: StoredIdentity {
        get throws(SQLError) {
            StoredIdentity(
                id: try text(0), account: try text(1), provider: try text(2), name: try text(3),
                linkedMilliseconds: try integer(4), usedMilliseconds: try integer(5))
        }
    }
}
