import Bytes
import Storage
import Stores

extension PhotoSchema {
    // What accounts have chosen. `networks`: '*' for all, or their names. The albums of an account that has none follow
    // the switches alone: it has no pins.
    static let enabledNetworks = Migration(
        "0.2.0 networks of accounts",
        """
        CREATE TABLE enabled_networks (
            account TEXT PRIMARY KEY,
            networks TEXT NOT NULL,
            version BIGINT NOT NULL
        );
        """)
}

extension Transaction {
    /// The networks that searches of an account ask.
    func enabledNetworks(of account: String) throws(SQLError) -> EnabledNetworks {
        try first("SELECT networks FROM enabled_networks WHERE account = ?1", account) { row throws(SQLError) in
            EnabledNetworks(text: try row.text(0))
        } ?? .all
    }

    /// Those of some networks that searches of an account ask.
    func enabled(_ networks: Set<String>, for account: String) throws(SQLError) -> Set<String> {
        let enabled = try enabledNetworks(of: account)
        return networks.filter { enabled.allows($0) }
    }

    /// Stores the only networks that searches of an album ask.
    func putEnabledNetworks(_ limit: EnabledNetworks, of album: Album) throws(SQLError) {
        if limit == album.networks { return }
        try execute("UPDATE albums SET networks = ?2 WHERE subject = ?1", album.subject.text, limit.text)
    }

    /// Stores what an account has chosen, unless a later choice is stored. Where one is new, the albums of the account
    /// that never had a photo are searched again.
    func putChosenNetworks(_ chosen: NetworksChosen, of account: String, at time: Int64) throws(SQLError) {
        let before = try first("SELECT networks, version FROM enabled_networks WHERE account = ?1", account) {
            row throws(SQLError) in
            NetworksChosen(networks: EnabledNetworks(text: try row.text(0)), version: try row.integer(1))
        }
        guard before.map({ $0.version < chosen.version }) ?? true else { return }
        try execute(
            """
            INSERT INTO enabled_networks (account, networks, version) VALUES (?1, ?2, ?3)
            ON CONFLICT (account) DO UPDATE SET networks = excluded.networks, version = excluded.version
            """, account, chosen.networks.text, chosen.version)
        if let before, chosen.networks.hasMore(than: before.networks) {
            try searchEmptyAlbums(of: account, at: time)
        }
    }
}

extension EnabledNetworks {
    init(text: String) {
        self.init(names: text == "*" ? nil : Set(text.split(at: " ").map(String.init)))
    }

    fileprivate var text: String { names.map { $0.sorted().joined(separator: " ") } ?? "*" }

    fileprivate func hasMore(than other: EnabledNetworks) -> Bool {
        guard let known = other.names else { return false }
        return names.map { !$0.isSubset(of: known) } ?? true
    }
}
