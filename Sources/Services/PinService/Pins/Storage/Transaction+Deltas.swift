import Storage

extension Transaction {
    /// The changes of a pin since `version`, possibly none; nil when the account has no such pin. A version in the
    /// future belongs to data that no longer exists: everything is new then.
    func delta(of id: PinID, account: String, after version: Int64) throws(SQLError) -> PinDelta? {
        guard let pin = try pin(id, of: account) else { return nil }
        let start = version > pin.version ? 0 : version
        let found = try rows(
            """
            SELECT place, name, categories, latitude_e7, longitude_e7, distance_m, photo_count, version
            FROM links WHERE pin = ?1 AND version > ?2 ORDER BY version LIMIT ?3
            """, id, start, PinDelta.maximumPlaces + 1
        ) { row throws(SQLError) in try LinkedPlace(row) }
        guard found.count > PinDelta.maximumPlaces, let first = found.first else {
            return PinDelta(pin: pin, places: found, version: pin.version)
        }
        let whole = found.wholeVersions
        let places = whole.isEmpty ? try links(of: id, version: first.version) : whole
        return PinDelta(pin: pin, places: places, version: places.last?.version ?? pin.version)
    }

    /// All links that were changed in one version.
    private func links(of pin: PinID, version: Int64) throws(SQLError) -> [LinkedPlace] {
        try rows(
            """
            SELECT place, name, categories, latitude_e7, longitude_e7, distance_m, photo_count, version
            FROM links WHERE pin = ?1 AND version = ?2
            """, pin, version
        ) { row throws(SQLError) in try LinkedPlace(row) }
    }
}

// Updates for watchers of all pins of an account.

extension Transaction {
    /// The changes of an account's pins since `version`, possibly none. `isContinued`: it continues an answer that had
    /// more to send. `wholeAtMost`: all are sent only when there are no more than these; 0 for any number.
    func accountDelta(
        of account: String, after version: Int64, isContinued: Bool, wholeAtMost: Int = 0
    ) throws(SQLError) -> AccountDelta {
        let last = try lastVersion(of: account)
        let kept = min(try lastForgottenRemoval(of: account), last)...last
        let isWhole = !isContinued && (version == 0 || !kept.contains(version))
        let isNew = isWhole || (version < last && !isContinued)
        let crowd = isNew && wholeAtMost > 0 ? try pinCount(of: account, above: wholeAtMost) : 0
        if isWhole, crowd > 0 {
            return AccountDelta(pins: [], removed: [], isWhole: true, crowd: crowd, version: last, hasMore: false)
        }
        let most = AccountDelta.maximumChanges
        let found = try changes(of: account, after: isWhole ? 0 : version, limit: most + 1, isWhole: isWhole)
        let sent = found.prefix(most)
        var pins: [Pin] = []
        for change in sent where !change.isRemoval {
            if let pin = try pin(change.pin) { pins.append(pin) }
        }
        return AccountDelta(
            pins: pins, removed: sent.filter(\.isRemoval).map(\.pin), isWhole: isWhole, crowd: crowd,
            version: found.count > most ? sent.last?.version ?? last : last, hasMore: found.count > most)
    }

    /// How many pins an account has, if these are more than `most`; else 0.
    private func pinCount(of account: String, above most: Int) throws(SQLError) -> Int {
        let count =
            try first("SELECT count(*) FROM pins WHERE account = ?1", account) { row throws(SQLError) in
                Int(try row.integer(0))
            } ?? 0
        return count > most ? count : 0
    }

    /// Whether there is a change to be sent at once: a pin that was added, was removed, or has another state or name.
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

    /// In order of their versions. A watcher that is sent everything does not need the removals.
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
    /// Records that a pin was removed.
    func recordRemoval(of pin: Pin, at time: Int64) throws(SQLError) {
        try execute(
            "INSERT INTO removals (account, version, pin, removed_ms) VALUES (?1, ?2, ?3, ?4)", pin.account,
            try nextVersion(of: pin.id, pin.account), pin.id, time)
    }

    /// Deletes records of removals from before `time`, at most `limit` of them; returns how many.
    func deleteRemovals(before time: Int64, limit: Int) throws(SQLError) -> Int {
        let forgotten = try rows(
            """
            DELETE FROM removals WHERE (account, version) IN
                (SELECT account, version FROM removals WHERE removed_ms < ?1 ORDER BY removed_ms LIMIT ?2)
            RETURNING account, version
            """, time, limit
        ) { row throws(SQLError) in (account: try row.text(0), version: try row.integer(1)) }
        for (account, removals) in Dictionary(grouping: forgotten, by: \.account).sorted(by: { $0.key < $1.key }) {
            try execute(
                """
                INSERT INTO forgotten_removals (account, version) VALUES (?1, ?2)
                ON CONFLICT (account) DO UPDATE SET version = CASE
                    WHEN excluded.version > forgotten_removals.version THEN excluded.version
                    ELSE forgotten_removals.version END
                """, account, removals.map(\.version).max())
        }
        return forgotten.count
    }

    /// A watcher with an earlier version has to be sent everything: a removal may have been forgotten. Of all accounts,
    /// where the data was brought back from a backup (`SQLiteEpoch`).
    func lastForgottenRemoval(of account: String) throws(SQLError) -> Int64 {
        try first(
            """
            SELECT coalesce(max(version), 0) FROM forgotten_removals WHERE account = ?1 OR account = ''
            """, account
        ) { row throws(SQLError) in try row.integer(0) } ?? 0
    }
}
