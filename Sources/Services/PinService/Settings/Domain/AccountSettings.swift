/// What an account has chosen.
struct AccountSettings: Equatable, Sendable {
    /// The units of distances. The numbers are stored in the database: one that was used never changes its meaning.
    enum Units: Int64, Sendable {
        /// As is usual where the reader is.
        case local = 1
        case metric = 2
        case imperial = 3
    }

    /// What the map shows when it is opened. The numbers are stored in the database.
    enum StartView: Int64, Sendable {
        /// What it showed last.
        case last = 1
        /// All pins.
        case pins = 2
        /// Where the reader is.
        case here = 3
    }

    var networks: NetworkChoice
    var units = Units.local
    /// The language of names on the map, as a tag of BCP 47; empty for the reader's.
    var language = ""
    var startView = StartView.last
    /// Grows with each change; 0 before the first.
    var version: Int64 = 0
}

/// A change of an account's settings, already validated.
struct SettingsUpdate: Equatable, Sendable {
    var enabled: Set<String> = []
    var disabled: Set<String> = []
    /// What is nil stays.
    var units: AccountSettings.Units?
    var language: String?
    var startView: AccountSettings.StartView?

    /// The settings afterwards. `configured`: the networks that searches can ask.
    func applied(to settings: AccountSettings, configured: Set<String>) throws(SettingsError) -> AccountSettings {
        var settings = settings
        if !enabled.isEmpty || !disabled.isEmpty {
            settings.networks = try settings.networks.changed(
                enabling: enabled, disabling: disabled, configured: configured)
        }
        if let units { settings.units = units }
        if let language { settings.language = language }
        if let startView { settings.startView = startView }
        return settings
    }
}

/// Why settings can't be as they are wanted.
enum SettingsError: Error, Equatable {
    /// These networks can't be asked by this server.
    case notConfigured([String])
    /// No network would stay enabled.
    case lastNetwork
}
