package import Storage

/// What follows when an account was deleted: the service that keeps accounts has a job that erases all else.
package enum AccountErasure {
    /// The kind of the job. Keys: "<account>/now" and "<account>/later".
    package static let job = "erase"
    /// Milliseconds until it is done once more, for what calls have stored that had begun before: no call lasts longer.
    package static let pause: Int64 = 600_000

    /// The account in a key.
    package static func account(of key: String) -> String { String(key.prefix { $0 != "/" }) }
}

extension Transaction {
    /// Deletes an account with all that lets someone in to it, and requests that the rest is erased.
    func delete(_ account: Account, _ email: EmailAddress, at time: Int64) throws(SQLError) {
        try execute("DELETE FROM mail WHERE email = ?1", email.key)
        for table in Self.tablesOfAccounts { try execute(table, account.id) }
        try enqueue(AccountErasure.job, "\(account.id)/now", at: time)
        try enqueue(AccountErasure.job, "\(account.id)/later", at: time + AccountErasure.pause)
    }

    private static var tablesOfAccounts: [StaticString] {
        [
            "DELETE FROM accounts WHERE id = ?1", "DELETE FROM sessions WHERE account = ?1",
            "DELETE FROM account_addresses WHERE account = ?1", "DELETE FROM account_codes WHERE account = ?1",
            "DELETE FROM security_events WHERE account = ?1", "DELETE FROM identities WHERE account = ?1",
            "DELETE FROM pending_logins WHERE account = ?1", "DELETE FROM passkeys WHERE account = ?1",
            "DELETE FROM passkey_users WHERE account = ?1", "DELETE FROM passkey_challenges WHERE asker = ?1",
            "DELETE FROM api_keys WHERE account = ?1",
        ]
    }

    /// Deletes what calls on the way have stored since their account was deleted.
    package func deleteRest(ofDeleted account: String) throws(SQLError) {
        for table in Self.tablesOfAccounts { try execute(table, account) }
    }
}
