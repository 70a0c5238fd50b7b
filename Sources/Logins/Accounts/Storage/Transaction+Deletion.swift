import Bytes
import Storage

/// What follows when an account was deleted: an `EraseJob` erases all else.
package enum AccountErasure {
    /// The kind of the job. Key: "<account>/<milliseconds since 1970>", what is newer being another's: who has not
    /// logged in goes on with the profile "local" when the account that had taken it over is deleted.
    package static let job = "erase"
    /// Milliseconds until it is done once more, for what calls have stored that had begun before: no call lasts longer.
    static let pause: Int64 = 600_000

    package static func key(_ account: String, upTo time: Int64) -> String { "\(account)/\(time)" }

    /// The account in a key, and the time; nil for a text that is none.
    static func subject(of key: String) -> (account: String, time: Int64)? {
        let parts = key.split(at: "/")
        guard parts.count == 2, let time = Int64(parts[1]) else { return nil }
        return (String(parts[0]), time)
    }
}

extension Transaction {
    /// Deletes an account with all that lets someone in to it, and requests that the rest is erased.
    func delete(_ account: Account, _ email: EmailAddress, at time: Int64) throws(SQLError) {
        try execute("DELETE FROM mail WHERE email = ?1", email.key)
        for table in Self.tablesOfAccounts { try execute(table, account.id) }
        try enqueue(AccountErasure.job, AccountErasure.key(account.id, upTo: time), at: time)
        if account.id == Account.local { return }
        let later = time + AccountErasure.pause
        try enqueue(AccountErasure.job, AccountErasure.key(account.id, upTo: later), at: later)
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
    func deleteRest(ofDeleted account: String) throws(SQLError) {
        for table in Self.tablesOfAccounts { try execute(table, account) }
    }
}
