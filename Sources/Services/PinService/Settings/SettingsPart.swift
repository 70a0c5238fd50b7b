import Daemon
import RPC
import Storage
import Stores

/// What an account has chosen, and what follows from it.
struct SettingsPart: PinPart {
    static let migrations = [SettingsSchema.migration]

    let store: PinStore
    let places: any PlaceFinder
    let albums: any AlbumSearcher
    let networks: PinNetworks
    let clock: WallClock

    var services: [any RPCService] {
        [SettingsHandler(store: store, clock: clock, configured: ConfiguredNetworks(places: places, albums: albums))]
    }

    var jobs: [JobKind] { [ChoiceJob(store: store, albums: albums, networks: networks, clock: clock).kind] }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute("DELETE FROM account_settings WHERE account = ?1", account)
    }
}

extension SettingsPart {
    init(_ house: PinHouse) {
        self.init(
            store: house.store, places: house.places, albums: house.albums, networks: house.networks,
            clock: house.clock)
    }
}
