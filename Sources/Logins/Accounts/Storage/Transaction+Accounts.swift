import Bytes
import RPC
package import Storage

// Rows of accounts.

extension Transaction {
    func insert(_ account: Account, _ email: EmailAddress, password: String) throws(SQLError) {
        try execute(
            """
            INSERT INTO accounts (id, email, email_key, first_name, last_name, password, roles, is_locked, created_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """, account.id, email.text, email.key, account.firstName, account.lastName, password,
            Int64(account.roles), account.isLocked, account.createdMilliseconds)
    }

    func account(_ id: String) throws(SQLError) -> Account? {
        try first(
            """
            SELECT id, email, first_name, last_name, roles, is_locked, created_ms FROM accounts WHERE id = ?1
            """, id
        ) { row throws(SQLError) in try row.account }
    }

    /// The account of an e-mail address, and the hash of its password.
    func account(_ email: EmailAddress) throws(SQLError) -> (Account, password: String)? {
        try first(
            """
            SELECT id, email, first_name, last_name, roles, is_locked, created_ms, password FROM accounts
            WHERE email_key = ?1
            """, email.key
        ) { row throws(SQLError) in (try row.account, try row.text(7)) }
    }

    /// The first and last name of an account, empty when it has none; nil when there is no such account.
    package func personName(of id: String) throws(SQLError) -> String? {
        guard let account = try account(id) else { return nil }
        return [account.firstName, account.lastName].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What other accounts that it shares with read: its first and last name, or the beginning of its address when it
    /// has none; nil when there is no such account, or an administrator has locked it.
    package func shownName(of id: String) throws(SQLError) -> String? {
        guard let account = try account(id), !account.isLocked, let name = try personName(of: id) else { return nil }
        return name.isEmpty ? String(account.email.until("@")) : name
    }

    /// The account of an e-mail address.
    package func accountID(of email: EmailAddress) throws(SQLError) -> String? { try account(email)?.0.id }

    /// Whether an administrator has locked the account; not one that does not exist.
    package func isLocked(_ id: String) throws(SQLError) -> Bool { try account(id)?.isLocked ?? false }

    func passwordHash(of id: String) throws(SQLError) -> String? {
        try first("SELECT password FROM accounts WHERE id = ?1", id) { row throws(SQLError) in try row.text(0) }
    }

    func setPassword(_ hash: String, of id: String) throws(SQLError) {
        try execute("UPDATE accounts SET password = ?2 WHERE id = ?1", id, hash)
    }

    /// Replaces a hash by a newer one of the same password, unless the password was changed meanwhile.
    func renewPassword(_ hash: String, inPlaceOf old: String, of id: String) throws(SQLError) {
        try execute("UPDATE accounts SET password = ?3 WHERE id = ?1 AND password = ?2", id, old, hash)
    }

    /// Writes the names, the roles and the lock.
    func update(_ account: Account) throws(SQLError) {
        try execute(
            "UPDATE accounts SET first_name = ?2, last_name = ?3, roles = ?4, is_locked = ?5 WHERE id = ?1",
            account.id, account.firstName, account.lastName, Int64(account.roles), account.isLocked)
    }

    /// Accounts after an e-mail address, by their addresses.
    func accounts(after email: String, limit: Int) throws(SQLError) -> [Account] {
        try rows(
            """
            SELECT id, email, first_name, last_name, roles, is_locked, created_ms FROM accounts WHERE email_key > ?1
            ORDER BY email_key LIMIT ?2
            """, email, limit
        ) { row throws(SQLError) in try row.account }
    }

    /// How many accounts that are not locked may administer.
    func administratorCount() throws(SQLError) -> Int64 {
        // 16 is the bit of `Roles.admin`.
        try first(
            "SELECT count(*) FROM accounts WHERE (roles & 16) <> 0 AND is_locked = FALSE"
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }
}

extension Row {
    /// The columns id, email, first_name, last_name, roles, is_locked, created_ms.
    fileprivate var account: Account {
        get throws(SQLError) {
            Account(
                id: try text(0), email: try text(1), firstName: try text(2), lastName: try text(3),
                roles: UInt8(truncatingIfNeeded: try integer(4)), isLocked: try bool(5),
                createdMilliseconds: try integer(6))
        }
    }
}
