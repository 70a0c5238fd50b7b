package import Storage

// What accounts and their searches have had of networks.

extension LedgerSchema {
    /// `network_shares`: an account's requests on its latest day. `network_searches`: those of one search; it is
    /// settled when it knows all that it is for.
    static let shares = Migration(
        "0.2.0 network shares",
        """
        CREATE TABLE network_shares (
            network TEXT NOT NULL,
            account TEXT NOT NULL,
            day BIGINT NOT NULL,
            day_count BIGINT NOT NULL,
            PRIMARY KEY (network, account)
        );
        CREATE INDEX network_shares_by_day ON network_shares (day);
        CREATE INDEX network_shares_by_account ON network_shares (account);
        CREATE TABLE network_searches (
            network TEXT NOT NULL,
            account TEXT NOT NULL,
            search BIGINT NOT NULL,
            request_count BIGINT NOT NULL,
            is_settled BOOLEAN NOT NULL,
            ends_ms BIGINT NOT NULL,
            PRIMARY KEY (network, account, search)
        );
        CREATE INDEX network_searches_by_end ON network_searches (ends_ms);
        CREATE INDEX network_searches_by_account ON network_searches (account);
        """)
}

extension Transaction {
    /// For how many days an account counts as one that asks.
    private static var shareDays: Int64 { 30 }

    package func share(of asker: NetworkAsker, _ network: String, at time: Int64) throws(SQLError) -> NetworkShare {
        var share = NetworkShare()
        let known = try first(
            "SELECT day, day_count FROM network_shares WHERE network = ?1 AND account = ?2", network, asker.account
        ) { row throws(SQLError) in (try row.integer(0), try row.integer(1)) }
        if let known { (share.day, share.dayCount) = known }
        share.hasOthers =
            try first(
                "SELECT 1 FROM network_shares WHERE network = ?1 AND account <> ?2 AND account <> '' LIMIT 1", network,
                asker.account
            ) { row throws(SQLError) in try row.integer(0) } != nil
        guard let search = asker.search else { return share }
        share.searchCount =
            try first(
                """
                SELECT request_count FROM network_searches
                WHERE network = ?1 AND account = ?2 AND search = ?3 AND ends_ms > ?4
                """, network, asker.account, search, shared(time)
            ) { row throws(SQLError) in try row.integer(0) } ?? 0
        return share
    }

    /// - Parameter searchEnds: when a search that begins now may start over.
    package func putShare(
        _ share: NetworkShare, of asker: NetworkAsker, _ network: String, searchEnds: Int64
    ) throws(SQLError) {
        try execute(
            """
            INSERT INTO network_shares (network, account, day, day_count) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (network, account) DO UPDATE SET day = excluded.day, day_count = excluded.day_count
            """, network, asker.account, share.day, share.dayCount)
        guard let search = asker.search, share.searchCount > 0 else { return }
        // One that has ended is not counted on: its first request is a new one's.
        try execute(
            """
            INSERT INTO network_searches (network, account, search, request_count, is_settled, ends_ms)
            VALUES (?1, ?2, ?3, ?4, FALSE, ?5)
            ON CONFLICT (network, account, search) DO UPDATE SET request_count = excluded.request_count,
                ends_ms = CASE WHEN excluded.request_count = 1 THEN excluded.ends_ms ELSE network_searches.ends_ms END,
                is_settled = network_searches.is_settled AND excluded.request_count > 1
            """, network, asker.account, search, share.searchCount, shared(searchEnds))
    }

    package func isSettled(_ asker: NetworkAsker, _ network: String, at time: Int64) throws(SQLError) -> Bool {
        try first(
            """
            SELECT is_settled FROM network_searches
            WHERE network = ?1 AND account = ?2 AND search = ?3 AND ends_ms > ?4
            """, network, asker.account, asker.search, shared(time)
        ) { row throws(SQLError) in try row.bool(0) } ?? false
    }

    package func settle(_ asker: NetworkAsker, _ network: String) throws(SQLError) {
        try execute(
            "UPDATE network_searches SET is_settled = TRUE WHERE network = ?1 AND account = ?2 AND search = ?3",
            network, asker.account, asker.search)
    }

    package func restart(_ asker: NetworkAsker, _ network: String) throws(SQLError) {
        try execute(
            "DELETE FROM network_searches WHERE network = ?1 AND account = ?2 AND search = ?3", network,
            asker.account, asker.search)
    }

    /// Deletes what has ended: searches, and shares of accounts that have not asked for long.
    package func deleteShares(endedBefore time: Int64) throws(SQLError) {
        try execute("DELETE FROM network_searches WHERE ends_ms < ?1", shared(time))
        try execute(
            "DELETE FROM network_shares WHERE day < ?1", time / NetworkStanding.dayMilliseconds - Self.shareDays)
    }

    /// Deletes what was noted of an account's requests.
    package func forgetShares(of account: String) throws(SQLError) {
        try execute("DELETE FROM network_searches WHERE account = ?1", account)
        try execute("DELETE FROM network_shares WHERE account = ?1", account)
    }
}
