import Storage

/// What a code is good for, once.
enum CodeKind: String, Sendable {
    case administrator, invitation, reset
}

extension Transaction {
    func insertCode(
        _ kind: CodeKind, digest: [UInt8], account: String = "", until end: Int64
    ) throws(SQLError) {
        try execute(
            "INSERT INTO account_codes (digest, kind, account, expires_ms) VALUES (?1, ?2, ?3, ?4)", digest,
            kind.rawValue, account, end)
    }

    /// Whether a code is good, without using it up.
    func isCode(_ kind: CodeKind, digest: [UInt8], at time: Int64) throws(SQLError) -> Bool {
        try first(
            "SELECT 1 FROM account_codes WHERE digest = ?1 AND kind = ?2 AND expires_ms > ?3", digest, kind.rawValue,
            time
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// Uses a code up. Returns the account that it is for; nil when there is no such code.
    func useCode(_ kind: CodeKind, digest: [UInt8], at time: Int64) throws(SQLError) -> String? {
        try first(
            "DELETE FROM account_codes WHERE digest = ?1 AND kind = ?2 AND expires_ms > ?3 RETURNING account", digest,
            kind.rawValue, time
        ) { row throws(SQLError) in try row.text(0) }
    }

    /// Ends all codes of a kind for an account.
    func endCodes(_ kind: CodeKind, of account: String = "") throws(SQLError) {
        try execute("DELETE FROM account_codes WHERE account = ?1 AND kind = ?2", account, kind.rawValue)
    }
}

extension Transaction {
    /// Ends all that lets anyone into an account but its password: who has lost it may not be alone in it, and someone
    /// else may have signed up with the owner's address first.
    func endAllAccess(to account: String) throws(SQLError) {
        _ = try endSessions(of: account, but: nil)
        _ = try endKeys(of: account)
        try execute("DELETE FROM identities WHERE account = ?1", account)
        _ = try removePasskeys(of: account)
    }
}
