import Storage

extension AccountSchema {
    static let mail = Migration(
        "0.2.0 mail",
        """
        CREATE TABLE mail (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            account TEXT NOT NULL,
            email TEXT NOT NULL,
            address TEXT NOT NULL,
            created_ms BIGINT NOT NULL
        );
        CREATE INDEX mail_by_email ON mail (email, kind);
        CREATE INDEX mail_by_time ON mail (created_ms);
        """)
}

extension Transaction {
    /// Queues a message, whose job is in the same transaction. False when too many wait already.
    @discardableResult
    func queue(_ mail: QueuedMail) throws(SQLError) -> Bool {
        let count = try first(
            "SELECT count(*) FROM (SELECT 1 FROM mail LIMIT ?1) AS waiting", QueuedMail.maximumQueued
        ) { row throws(SQLError) in try row.integer(0) }
        guard count ?? 0 < QueuedMail.maximumQueued else { return false }
        try execute(
            "INSERT INTO mail (id, kind, account, email, address, created_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)", mail.id,
            mail.kind.rawValue, mail.account, mail.email, mail.address, mail.createdMilliseconds)
        try enqueue(MailJob.name, mail.id, at: mail.createdMilliseconds)
        return true
    }

    /// Nil for a message of a kind that a later version of the program has stored, too.
    func mail(_ id: String) throws(SQLError) -> QueuedMail? {
        let found = try first(
            "SELECT kind, account, email, address, created_ms FROM mail WHERE id = ?1", id
        ) { row throws(SQLError) -> QueuedMail? in
            guard let kind = QueuedMail.Kind(rawValue: try row.text(0)) else { return nil }
            return QueuedMail(
                id: id, kind: kind, account: try row.text(1), email: try row.text(2), address: try row.text(3),
                createdMilliseconds: try row.integer(4))
        }
        return found ?? nil
    }

    func dropMail(_ id: String) throws(SQLError) {
        try execute("DELETE FROM mail WHERE id = ?1", id)
    }

    /// Removes what else was asked for with the same e-mail address: one message has the newest code.
    func dropOthers(like mail: QueuedMail) throws(SQLError) {
        try execute(
            "DELETE FROM mail WHERE email = ?1 AND kind = ?2 AND id <> ?3", mail.email, mail.kind.rawValue, mail.id)
    }

    /// Ends all codes with which an account's password could be set, those that are to be sent as well.
    func endResets(of account: String) throws(SQLError) {
        try endCodes(.reset, of: account)
        try execute(
            "DELETE FROM mail WHERE kind = ?2 AND email = (SELECT email_key FROM accounts WHERE id = ?1)", account,
            QueuedMail.Kind.reset.rawValue)
    }

    /// The account of the key of an e-mail address.
    func account(ofKey key: String) throws(SQLError) -> Account? {
        guard let id = try first("SELECT id FROM accounts WHERE email_key = ?1", key, read: Self.idOf) else {
            return nil
        }
        return try account(id)
    }

    /// Deletes what is left of messages that no one sends any more. Returns how many.
    func deleteOldMail(before time: Int64) throws(SQLError) -> Int {
        try change("DELETE FROM mail WHERE created_ms <= ?1", time)
    }

    private static func idOf(_ row: borrowing Row) throws(SQLError) -> String { try row.text(0) }
}
