import Storage

// Rows of links to pins and to lists.

extension Transaction {
    func insert(_ share: Share) throws(SQLError) {
        try execute(
            """
            INSERT INTO shares
                (id, account, subject, is_list, created_ms, expires_ms, password, with_note, with_immich, opened,
                opened_ms, album_only)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, NULL, ?10)
            """, share.id, share.account, share.subject.id, share.subject.isList, share.createdMilliseconds,
            share.expiresMilliseconds, share.passwordHash, share.isWithNote, share.isWithImmich,
            share.isAlbumAlone)
    }

    /// Those of an account, the newest first.
    func shares(of account: String) throws(SQLError) -> [NamedShare] {
        try rows(
            """
            SELECT shares.id, shares.account, shares.subject, shares.created_ms, shares.expires_ms, shares.password,
                shares.with_note, shares.with_immich, shares.opened, shares.opened_ms,
                coalesce(pins.name, lists.name, ''), shares.is_list, shares.album_only
            FROM shares LEFT JOIN pins ON pins.id = shares.subject LEFT JOIN lists ON lists.id = shares.subject
            WHERE shares.account = ?1 ORDER BY shares.created_ms DESC, shares.id
            """, account
        ) { row throws(SQLError) in try row.namedShare }
    }

    func share(_ id: String) throws(SQLError) -> NamedShare? {
        try first(
            """
            SELECT shares.id, shares.account, shares.subject, shares.created_ms, shares.expires_ms, shares.password,
                shares.with_note, shares.with_immich, shares.opened, shares.opened_ms,
                coalesce(pins.name, lists.name, ''), shares.is_list, shares.album_only
            FROM shares LEFT JOIN pins ON pins.id = shares.subject LEFT JOIN lists ON lists.id = shares.subject
            WHERE shares.id = ?1
            """, id
        ) { row throws(SQLError) in try row.namedShare }
    }

    func shareCount(of account: String) throws(SQLError) -> Int {
        let count = try first("SELECT COUNT(*) FROM shares WHERE account = ?1", account) { row throws(SQLError) in
            try row.integer(0)
        }
        return Int(count ?? 0)
    }

    func countOpening(of id: String, at time: Int64) throws(SQLError) {
        try execute("UPDATE shares SET opened = opened + 1, opened_ms = ?2 WHERE id = ?1", id, time)
    }

    /// Another hash of the same password.
    func renewPassword(_ hash: String, of share: Share) throws(SQLError) {
        try execute(
            "UPDATE shares SET password = ?3 WHERE id = ?1 AND password = ?2", share.id, share.passwordHash, hash)
    }

    func deleteShare(_ id: String) throws(SQLError) { try execute("DELETE FROM shares WHERE id = ?1", id) }

    /// Deletes those that lead to a pin or a list, and those by which other accounts see it.
    func deleteShares(of subject: PinID) throws(SQLError) {
        try execute("DELETE FROM shares WHERE subject = ?1", subject)
        try execute("DELETE FROM grants WHERE subject = ?1", subject)
    }

    /// What the account calls a pin or a list of its own; nil when it has no such one.
    func name(of subject: Share.Subject, of account: String) throws(SQLError) -> String? {
        switch subject {
        case .pin(let id): try pin(id, of: account)?.name
        case .list(let id): try list(id, of: account)?.name
        }
    }

    /// Deletes those of an account that have ended by themselves.
    func deleteShares(of account: String, endedAt time: Int64) throws(SQLError) {
        try execute("DELETE FROM shares WHERE account = ?1 AND expires_ms <= ?2", account, time)
    }
}

extension Row {
    /// The columns id, account, subject, created_ms, expires_ms, password, with_note, with_immich, opened, opened_ms,
    /// name, is_list, album_only.
    fileprivate var namedShare: NamedShare {
        get throws(SQLError) {
            let subject = try pinID(2)
            let share = Share(
                id: try text(0), account: try text(1), subject: try bool(11) ? .list(subject) : .pin(subject),
                createdMilliseconds: try integer(3),
                expiresMilliseconds: try optionalInteger(4), passwordHash: try text(5), isWithNote: try bool(6),
                isWithImmich: try bool(7), isAlbumAlone: try bool(12), openCount: try integer(8),
                openedMilliseconds: try optionalInteger(9))
            return NamedShare(share: share, name: try text(10))
        }
    }
}
