import Storage

// What those who watch all pins of an account are told.

extension Transaction {
    /// What is new about an account's pins since `version`, also when that is nothing. `isGoingOn`: it continues an
    /// answer that had more to tell.
    func accountNews(of account: String, after version: Int64, isGoingOn: Bool) throws(SQLError) -> AccountNews {
        let last = try lastVersion()
        let kept = min(try lastForgottenRemoval(), last)...last
        let isWhole = !isGoingOn && (version == 0 || !kept.contains(version))
        let most = AccountNews.mostChanges
        let found = try changes(of: account, after: isWhole ? 0 : version, limit: most + 1, isWhole: isWhole)
        let told = found.prefix(most)
        var pins: [Pin] = []
        for change in told where !change.isRemoval {
            if let pin = try pin(change.pin) { pins.append(pin) }
        }
        return AccountNews(
            pins: pins, removed: told.filter(\.isRemoval).map(\.pin), isWhole: isWhole,
            version: found.count > most ? told.last?.version ?? last : last, hasMore: found.count > most)
    }

    /// Whether something is new that nobody should wait for: a pin that came, went or has another state.
    func hasUrgentNews(of account: String, after version: Int64) throws(SQLError) -> Bool {
        try first(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM removals WHERE account = ?1 AND version > ?2)
                OR EXISTS (SELECT 1 FROM pins WHERE account = ?1 AND version > ?2 AND state_version > ?2)
            """, account, version
        ) { row throws(SQLError) in try row.integer(0) } != nil
    }

    /// A pin that changed or was removed.
    private struct ChangedPin {
        let version: Int64
        let pin: PinID
        let isRemoval: Bool
    }

    /// In the order of their versions. Who is told everything need not hear what is gone.
    private func changes(
        of account: String, after version: Int64, limit: Int, isWhole: Bool
    ) throws(SQLError) -> [ChangedPin] {
        try rows(
            """
            SELECT version, id, FALSE FROM pins WHERE account = ?1 AND version > ?2
            UNION ALL
            SELECT version, pin, TRUE FROM removals WHERE account = ?1 AND version > ?2 AND ?4 = FALSE
            ORDER BY 1 LIMIT ?3
            """, account, version, limit, isWhole
        ) { row throws(SQLError) in
            ChangedPin(version: try row.integer(0), pin: try row.pinID(1), isRemoval: try row.bool(2))
        }
    }
}

extension Transaction {
    /// Remembers that a pin was removed.
    func noteRemoval(of pin: Pin, at time: Int64) throws(SQLError) {
        try execute(
            "INSERT INTO removals (account, version, pin, removed_ms) VALUES (?1, ?2, ?3, ?4)", pin.account,
            try nextVersion(), pin.id, time)
    }

    /// Forgets removals from before `time`, at most `limit` of them; gives how many.
    func forgetRemovals(before time: Int64, limit: Int) throws(SQLError) -> Int {
        var (count, last): (Int, Int64) = (0, 0)
        try forEach(
            """
            DELETE FROM removals WHERE (account, version) IN
                (SELECT account, version FROM removals WHERE removed_ms < ?1 ORDER BY removed_ms LIMIT ?2)
            RETURNING version
            """, time, limit
        ) { row throws(SQLError) in (count, last) = (count + 1, max(last, try row.integer(0))) }
        try execute("UPDATE removals_kept SET after_version = ?1 WHERE id = 1 AND after_version < ?1", last)
        return count
    }

    /// Whoever was told less has to be told everything: a removal may be forgotten.
    private func lastForgottenRemoval() throws(SQLError) -> Int64 {
        try first("SELECT after_version FROM removals_kept WHERE id = 1") { row throws(SQLError) in
            try row.integer(0)
        } ?? 0
    }
}
