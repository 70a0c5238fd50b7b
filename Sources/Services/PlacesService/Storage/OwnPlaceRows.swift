import Geo
import LiveNetworks
import Networks
import Storage
import Stores

extension DiscoverySchema {
    // Which places live networks have given for which account: it alone finds them. What was found for no
    // account is an account's once it has a pin there.
    static let ownPlaces = Migration(
        "0.2.0 own places",
        """
        CREATE TABLE own_places (
            account TEXT NOT NULL,
            network TEXT NOT NULL,
            id TEXT NOT NULL,
            version BIGINT NOT NULL,
            PRIMARY KEY (account, network, id)
        );
        CREATE INDEX own_places_by_version ON own_places (version);
        CREATE INDEX own_places_by_place ON own_places (network, id);
        """)
}

/// A place that was given for an account.
struct OwnPlace: Sendable {
    let account: String
    let network: Network
    /// "openstreetmap/node/1001"
    let id: [UInt8]
}

extension DiscoveryStore {
    /// The places of an account.
    func ownPlaces(of account: String) async throws -> [OwnPlace] {
        try await database.read { transaction throws(SQLError) in
            try transaction.rows("SELECT account, network, id FROM own_places WHERE account = ?1", account) {
                row throws(SQLError) in try row.ownPlace()
            }.compactMap(\.self)
        }
    }

    /// Deletes what was found for an account.
    func forget(_ account: String) async throws(SQLError) {
        try await database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            try transaction.disownAll(account)
        }
    }

    /// Those of all accounts above a version, and the last version.
    func ownPlaces(above version: Int64) async throws -> (places: [OwnPlace], version: Int64) {
        try await database.read { transaction throws(SQLError) in
            let places = try transaction.rows(
                "SELECT account, network, id FROM own_places WHERE version > ?1", version
            ) { row throws(SQLError) in try row.ownPlace() }
            return (places.compactMap(\.self), try transaction.lastVersion())
        }
    }
}

extension Row {
    fileprivate func ownPlace() throws(SQLError) -> OwnPlace? {
        let name = try text(1)
        guard let network = Network.named(name) else { return nil }
        return OwnPlace(account: try text(0), network: network, id: Array("\(name)/\(try text(2))".utf8))
    }
}

extension Transaction {
    /// Notes that places of a network were given for an account.
    func own(_ ids: [String], _ network: Network, _ account: String) throws(SQLError) {
        var version: Int64?
        for id in ids {
            let isKnown = try first(
                "SELECT 1 FROM own_places WHERE account = ?1 AND network = ?2 AND id = ?3", account,
                network.name, id
            ) { row throws(SQLError) in try row.integer(0) }
            if isKnown != nil { continue }
            let next = if let version { version } else { try nextVersion() }
            version = next
            try execute(
                "INSERT INTO own_places (account, network, id, version) VALUES (?1, ?2, ?3, ?4)", account,
                network.name, id, next)
        }
    }

    /// A place that is gone is no account's: if it comes back, it is found by those for whom it is given then.
    func disown(_ network: Network, _ id: String) throws(SQLError) {
        try execute("DELETE FROM own_places WHERE network = ?1 AND id = ?2", network.name, id)
    }

    /// Places that were found in these cells for no account are the account's too.
    func ownEarlier(in cells: [GridCell], _ account: String) throws(SQLError) {
        let any = try first("SELECT 1 FROM own_places WHERE account = '' LIMIT 1") { row throws(SQLError) in
            try row.integer(0)
        }
        guard any != nil, !account.isEmpty else { return }
        let version = try nextVersion()
        for network in Network.livePlaces {
            for cell in cells { try ownEarlier(network, in: cell, account, version) }
        }
    }

    private func ownEarlier(
        _ network: Network, in cell: GridCell, _ account: String, _ version: Int64
    ) throws(SQLError) {
        try execute(
            """
            INSERT INTO own_places (account, network, id, version)
            SELECT CAST(?1 AS TEXT), earlier.network, earlier.id, CAST(?2 AS BIGINT)
            FROM discovered_place AS place JOIN own_places AS earlier
                ON earlier.account = '' AND earlier.network = place.network AND earlier.id = place.id
            WHERE place.network = ?4 AND place.grid_cell = ?3 AND place.removed = FALSE
            ON CONFLICT (account, network, id) DO NOTHING
            """, account, version, cell.number, network.name)
    }

    /// Deletes what was found for an account, with the cells that it knows.
    func disownAll(_ account: String) throws(SQLError) {
        try execute("DELETE FROM own_places WHERE account = ?1", account)
        for network in Network.livePlaces { try forgetCells(of: network.name, for: account) }
        try forgetShares(of: account)
    }
}
