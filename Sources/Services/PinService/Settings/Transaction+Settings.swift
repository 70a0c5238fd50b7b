import Storage
import Stores

extension Transaction {
    /// The settings of an account; nil when it has none.
    func settings(of account: String) throws(SQLError) -> AccountSettings? {
        try first(
            "SELECT networks, units, language, start_view, version FROM account_settings WHERE account = ?1", account
        ) { row throws(SQLError) in
            AccountSettings(
                networks: NetworkChoice(stored: try row.text(0)),
                units: AccountSettings.Units(rawValue: try row.integer(1)) ?? .local, language: try row.text(2),
                startView: AccountSettings.StartView(rawValue: try row.integer(3)) ?? .last,
                version: try row.integer(4))
        }
    }

    /// Stores the settings of an account, and requests what follows from other networks. Returns them with their
    /// version.
    func putSettings(
        _ settings: AccountSettings, of account: String, before: AccountSettings, at time: Int64
    ) throws(SQLError) -> AccountSettings {
        guard settings != before else { return before }
        var settings = settings
        settings.version = try nextVersion(of: account)
        try execute(
            """
            INSERT INTO account_settings (account, networks, units, language, start_view, version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (account) DO UPDATE SET networks = excluded.networks, units = excluded.units,
                language = excluded.language, start_view = excluded.start_view, version = excluded.version
            """,
            account, settings.networks.stored, settings.units.rawValue, settings.language, settings.startView.rawValue,
            settings.version)
        if settings.networks != before.networks { try enqueue(Work.networks, account, at: time) }
        return settings
    }
}
