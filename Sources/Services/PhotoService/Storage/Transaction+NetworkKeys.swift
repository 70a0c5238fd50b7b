import LiveNetworks
import Storage
import Stores

extension PhotoSchema {
    // `sealed` is the key, under the deployment's. `problem` is why it opens nothing any more, empty while all is well.
    static let networkKeys = Migration(
        "0.2.0 network keys",
        """
        CREATE TABLE network_keys (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            network TEXT NOT NULL,
            server TEXT NOT NULL,
            sealed BYTEA NOT NULL,
            set_ms BIGINT NOT NULL,
            problem TEXT NOT NULL
        );
        CREATE INDEX network_keys_by_account ON network_keys (account, network, server);
        """)
}

extension NetworkKey {
    /// A key that an account gives now.
    init(of account: String, network: String, server: String, at time: Int64) {
        let name = BlobName(of: Array("\(account)\n\(network)\n\(server)".utf8))
        self.init(
            id: String(name.text.prefix(32)), account: account, network: network, server: server,
            setMilliseconds: time)
    }
}

/// A key as it is stored.
struct SealedNetworkKey: Sendable {
    let key: NetworkKey
    let sealed: [UInt8]
}

extension Transaction {
    /// The keys of an account, by network and server.
    func networkKeys(of account: String) throws(SQLError) -> [SealedNetworkKey] {
        try rows(
            """
            SELECT id, account, network, server, set_ms, problem, sealed FROM network_keys WHERE account = ?1
            ORDER BY network, server
            """, account
        ) { row throws(SQLError) in try row.networkKey }
    }

    func networkKey(_ id: String) throws(SQLError) -> SealedNetworkKey? {
        try first(
            "SELECT id, account, network, server, set_ms, problem, sealed FROM network_keys WHERE id = ?1", id
        ) { row throws(SQLError) in try row.networkKey }
    }

    /// Stores a key in place of the one before. What is there is not known any more: another key may show other photos.
    func putNetworkKey(_ key: NetworkKey, sealed: [UInt8], at time: Int64) throws(SQLError) {
        try execute(
            """
            INSERT INTO network_keys (id, account, network, server, sealed, set_ms, problem)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed, set_ms = excluded.set_ms,
                problem = excluded.problem
            """, key.id, key.account, key.network, key.server, sealed, key.setMilliseconds, key.problem)
        try forgetCells(of: key.area)
        try searchAgain(of: key.account, at: time)
    }

    /// Records why a key opens nothing any more, or that it does; a key that was given since is left alone.
    func recordProblem(_ problem: String, of key: NetworkKey) throws(SQLError) {
        try execute(
            "UPDATE network_keys SET problem = ?2 WHERE id = ?1 AND set_ms = ?3 AND problem <> ?2", key.id, problem,
            key.setMilliseconds)
    }

    /// Deletes a key and the photos that it showed.
    func deleteNetworkKey(_ key: NetworkKey) throws(SQLError) {
        try execute("DELETE FROM network_keys WHERE id = ?1", key.id)
        try forgetCells(of: key.area)
        // "0" follows "/".
        let (first, last) = ("\(key.area)/", "\(key.area)0")
        let subjects = try rows(
            "SELECT DISTINCT subject FROM album_photos WHERE photo_id > ?1 AND photo_id < ?2", first, last
        ) { row throws(SQLError) in try row.subject(0) }
        try recordRemovals(between: first, and: last)
        for table in Self.photosBetween { try execute(table, first, last) }
        for subject in subjects { try recountList(subject) }
    }

    private static var photosBetween: [StaticString] {
        [
            "DELETE FROM album_photos WHERE photo_id > ?1 AND photo_id < ?2",
            "DELETE FROM album_shown WHERE photo_id > ?1 AND photo_id < ?2",
            "DELETE FROM removals WHERE photo_id > ?1 AND photo_id < ?2",
            "DELETE FROM favourites WHERE photo_id > ?1 AND photo_id < ?2",
            "DELETE FROM photos WHERE id > ?1 AND id < ?2",
        ]
    }

    /// Requests the searches of all pins of an account.
    private func searchAgain(of account: String, at time: Int64) throws(SQLError) {
        let subjects = try rows(
            "SELECT subject FROM albums WHERE account = ?1 AND subject > 'pin/' AND subject < 'pin0'", account
        ) { row throws(SQLError) in try row.text(0) }
        for subject in subjects { try enqueue("search", subject, at: time) }
    }
}

extension Row {
    fileprivate var networkKey: SealedNetworkKey {
        get throws(SQLError) {
            SealedNetworkKey(
                key: NetworkKey(
                    id: try text(0), account: try text(1), network: try text(2), server: try text(3),
                    setMilliseconds: try integer(4), problem: try text(5)),
                sealed: try blob(6))
        }
    }
}
