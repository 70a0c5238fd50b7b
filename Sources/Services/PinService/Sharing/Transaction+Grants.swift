import Accounts
import Storage

// Rows of what accounts share with others.

extension Transaction {
    func insert(_ grant: Grant, _ email: EmailAddress) throws(SQLError) {
        try execute(
            """
            INSERT INTO grants (id, account, subject, is_list, email, email_key, guest, access, created_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """, grant.id, grant.account, grant.subject.id, grant.subject.isList, email.text, email.key, grant.guest,
            grant.right.rawValue, grant.createdMilliseconds)
    }

    /// Writes the right, and whose it is.
    func update(_ grant: Grant) throws(SQLError) {
        try execute(
            "UPDATE grants SET access = ?2, guest = ?3 WHERE id = ?1", grant.id, grant.right.rawValue, grant.guest)
    }

    func grant(_ id: String) throws(SQLError) -> NamedGrant? {
        try first(
            """
            SELECT grants.id, grants.account, grants.subject, grants.is_list, grants.email, grants.guest,
                grants.access, grants.created_ms, coalesce(pins.name, lists.name, '')
            FROM grants LEFT JOIN pins ON pins.id = grants.subject LEFT JOIN lists ON lists.id = grants.subject
            WHERE grants.id = ?1
            """, id
        ) { row throws(SQLError) in try row.namedGrant }
    }

    /// That of a pin or a list with an address.
    func grant(of subject: PinID, with email: EmailAddress) throws(SQLError) -> NamedGrant? {
        let id = try first(
            "SELECT id FROM grants WHERE subject = ?1 AND email_key = ?2", subject, email.key
        ) { row throws(SQLError) in try row.text(0) }
        guard let id else { return nil }
        return try grant(id)
    }

    /// What an account shares, the newest first.
    func grants(of account: String) throws(SQLError) -> [NamedGrant] {
        try rows(
            """
            SELECT grants.id, grants.account, grants.subject, grants.is_list, grants.email, grants.guest,
                grants.access, grants.created_ms, coalesce(pins.name, lists.name, '')
            FROM grants LEFT JOIN pins ON pins.id = grants.subject LEFT JOIN lists ON lists.id = grants.subject
            WHERE grants.account = ?1 ORDER BY grants.created_ms DESC, grants.id
            """, account
        ) { row throws(SQLError) in try row.namedGrant }
    }

    /// What is shared with an account, the newest first; not what accounts share that are locked.
    func grants(with guest: String, limit: Int) throws(SQLError) -> [SharedWith] {
        let all = try rows(
            """
            SELECT grants.id, grants.account, grants.subject, grants.is_list, grants.email, grants.guest,
                grants.access, grants.created_ms, coalesce(pins.name, lists.name, '')
            FROM grants LEFT JOIN pins ON pins.id = grants.subject LEFT JOIN lists ON lists.id = grants.subject
            WHERE grants.guest = ?1 ORDER BY grants.created_ms DESC, grants.id LIMIT ?2
            """, guest, limit
        ) { row throws(SQLError) in try row.namedGrant }
        var names: [String: String] = [:]
        for account in Set(all.map(\.grant.account)) { names[account] = try shownName(of: account) }
        return all.compactMap { named in names[named.grant.account].map { SharedWith(named: named, owner: $0) } }
    }

    /// Nil when there is none, and when an account of it is locked or gone.
    func liveGrant(_ id: String) throws(SQLError) -> SharedWith? {
        guard let named = try grant(id), let owner = try shownName(of: named.grant.account),
            try shownName(of: named.grant.guest) != nil
        else { return nil }
        return SharedWith(named: named, owner: owner)
    }

    /// How often an account shares something, and with how many a pin or a list is shared.
    func grantCounts(of account: String, _ subject: PinID) throws(SQLError) -> (all: Int64, ofSubject: Int64) {
        let all = try first("SELECT COUNT(*) FROM grants WHERE account = ?1", account) { row throws(SQLError) in
            try row.integer(0)
        }
        let some = try first("SELECT COUNT(*) FROM grants WHERE subject = ?1", subject) { row throws(SQLError) in
            try row.integer(0)
        }
        return (all ?? 0, some ?? 0)
    }

    func deleteGrant(_ id: String) throws(SQLError) { try execute("DELETE FROM grants WHERE id = ?1", id) }
}

extension Row {
    /// The columns id, account, subject, is_list, email, guest, access, created_ms, name.
    fileprivate var namedGrant: NamedGrant {
        get throws(SQLError) {
            let subject = try pinID(2)
            let grant = Grant(
                id: try text(0), account: try text(1), subject: try bool(3) ? .list(subject) : .pin(subject),
                email: try text(4), guest: try text(5), right: try state(6), createdMilliseconds: try integer(7))
            return NamedGrant(grant: grant, name: try text(8))
        }
    }
}
