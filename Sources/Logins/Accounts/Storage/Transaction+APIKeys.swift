import Bytes
import RPC
import Storage

/// A key for programs, without its token.
struct APIKey: Equatable, Sendable {
    /// The numbers are those of the .proto.
    enum Scope: Int64, Sendable {
        case read = 1
        case write, admin

        /// What a key of this scope may do at most.
        var roles: Roles { self == .admin ? .ofAccounts : .user }
    }

    let id: String
    let account: String
    let name: String
    let scope: Scope
    /// The only networks that its calls may have asked; all when empty.
    let networks: Set<String>
    /// Times in milliseconds since 1970; 0 for never.
    let createdMilliseconds: Int64
    var usedMilliseconds: Int64 = 0
    let expiresMilliseconds: Int64
}

extension AccountSchema {
    /// `expires_ms` and `used_ms` are 0 for never. `networks` has their names with blanks between; '' for all.
    static let apiKeys = Migration(
        "0.2.0 keys of accounts",
        """
        CREATE TABLE api_keys (
            digest BYTEA PRIMARY KEY,
            id TEXT NOT NULL,
            account TEXT NOT NULL,
            name TEXT NOT NULL,
            scope BIGINT NOT NULL,
            created_ms BIGINT NOT NULL,
            used_ms BIGINT NOT NULL,
            expires_ms BIGINT NOT NULL,
            networks TEXT NOT NULL DEFAULT ''
        );
        CREATE INDEX api_keys_by_account ON api_keys (account, created_ms, id);
        CREATE INDEX api_keys_by_end ON api_keys (expires_ms) WHERE expires_ms > 0;
        """)
}

extension Transaction {
    /// How many keys an account has at most.
    static let maximumKeys = 100

    func insert(_ key: APIKey, digest: [UInt8]) throws(SQLError) {
        try execute(
            """
            INSERT INTO api_keys (digest, id, account, name, scope, created_ms, used_ms, expires_ms, networks)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """, digest, key.id, key.account, key.name, key.scope.rawValue, key.createdMilliseconds,
            key.usedMilliseconds, key.expiresMilliseconds, key.networks.sorted().joined(separator: " "))
    }

    /// The key of a token that has not ended, with what its account may do; a locked account's keys do nothing.
    func apiKey(_ digest: [UInt8], at time: Int64) throws(SQLError) -> (APIKey, Roles)? {
        let found = try first(
            """
            SELECT k.id, k.account, k.name, k.scope, k.created_ms, k.used_ms, k.expires_ms, k.networks, a.roles
            FROM api_keys AS k JOIN accounts AS a ON a.id = k.account AND a.is_locked = FALSE
            WHERE k.digest = ?1 AND (k.expires_ms = 0 OR k.expires_ms > ?2)
            """, digest, time
        ) { row throws(SQLError) -> (APIKey, Roles)? in
            guard let key = try row.apiKey else { return nil }
            let roles = Roles(rawValue: UInt8(truncatingIfNeeded: try row.integer(8)))
            return (key, key.scope.roles.intersection(roles))
        }
        return found ?? nil
    }

    func apiKeys(of account: String) throws(SQLError) -> [APIKey] {
        try rows(
            """
            SELECT id, account, name, scope, created_ms, used_ms, expires_ms, networks FROM api_keys WHERE account = ?1
            ORDER BY created_ms DESC, id DESC LIMIT ?2
            """, account, Self.maximumKeys
        ) { row throws(SQLError) in try row.apiKey }.compactMap(\.self)
    }

    func useKey(_ digest: [UInt8], at time: Int64) throws(SQLError) {
        try execute("UPDATE api_keys SET used_ms = ?2 WHERE digest = ?1", digest, time)
    }

    /// Returns whether there was one.
    func endKey(_ id: String, of account: String) throws(SQLError) -> Bool {
        try change("DELETE FROM api_keys WHERE account = ?1 AND id = ?2", account, id) > 0
    }

    /// Ends all keys of an account. Returns how many.
    func endKeys(of account: String) throws(SQLError) -> Int {
        try change("DELETE FROM api_keys WHERE account = ?1", account)
    }

    /// Keys that have ended.
    func deleteExpiredKeys(at time: Int64) throws(SQLError) -> Int {
        try change("DELETE FROM api_keys WHERE expires_ms > 0 AND expires_ms <= ?1", time)
    }
}

extension Row {
    /// The columns id, account, name, scope, created_ms, used_ms, expires_ms, networks; nil for a scope of a later
    /// version.
    fileprivate var apiKey: APIKey? {
        get throws(SQLError) {
            guard let scope = APIKey.Scope(rawValue: try integer(3)) else { return nil }
            return APIKey(
                id: try text(0), account: try text(1), name: try text(2), scope: scope,
                networks: Set(try text(7).split(at: " ").map(String.init)),
                createdMilliseconds: try integer(4), usedMilliseconds: try integer(5),
                expiresMilliseconds: try integer(6))
        }
    }
}
