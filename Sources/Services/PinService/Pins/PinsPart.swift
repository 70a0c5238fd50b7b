import Daemon
import NearRows
import RPC
import Storage
import Stores

/// Pins, with the places around them and the photos there.
struct PinsPart: PinPart {
    static let migrations = PinSchema.migrations
    /// How long a start waits for the places service to report which networks can be asked.
    private static let patience: Duration = .seconds(1)
    /// Pins that are erased in one transaction.
    private static let erasedAtOnce = 50

    let store: PinStore
    let places: any PlaceFinder
    let albums: any AlbumSearcher
    let networks: PinNetworks
    let clock: WallClock
    let log: Log?

    var services: [any RPCService] {
        [PinHandler(store, clock: clock, networks: networks), PinClusterHandler(store: store)]
    }

    var jobs: [JobKind] {
        DiscoverJob(store: store, finder: places, networks: networks, clock: clock).kinds + [
            NameJob(store: store, finder: places, clock: clock).kind, NamesJob(store: store, clock: clock).kind,
            AlbumsJob(store: store, albums: albums, clock: clock).kind,
            ForgetJob(store: store, albums: albums, clock: clock).kind,
            HoldJob(store: store, finder: places, clock: clock).kind,
            ForgetAccountJob(store: store, albums: albums, finder: places, clock: clock).kind,
        ]
    }

    var families: [MetricFamily] { store.near.families }

    func forget(at now: Int64, limit: Int, _ transaction: borrowing Transaction) throws(SQLError) -> Int {
        try transaction.deleteRemovals(before: now - AccountDelta.removalLifeMilliseconds, limit: limit)
    }

    func begin() async throws {
        try await store.adopt(networks.current, at: clock.unixMilliseconds)
        await list.begin(patience: Self.patience)
    }

    func run() async {
        async let feed: Void = AlbumFeed(store: store, albums: albums, clock: clock, log: log).run()
        async let networks: Void = list.run()
        async let areas: Void = AreaNews(store: store, finder: places, clock: clock, log: log).run()
        await store.near.run()
        _ = await (feed, networks, areas)
    }

    private var list: NetworkList {
        NetworkList(store: store, networks: networks, finder: places, clock: clock, log: log)
    }
}

extension PinsPart {
    init(_ house: PinHouse) {
        self.init(
            store: house.store, places: house.places, albums: house.albums, networks: house.networks,
            clock: house.clock, log: house.runtime.log)
    }

    static func remove(_ pin: PinID, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute("DELETE FROM pins WHERE id = ?1", pin)
        try transaction.execute("DELETE FROM pin_searches WHERE pin = ?1", pin)
        try transaction.execute("DELETE FROM links WHERE pin = ?1", pin)
        try transaction.execute("DELETE FROM neighbours WHERE pin = ?1", pin)
    }

    static func eraseSome(
        of account: String, upTo time: Int64, at now: Int64, _ transaction: borrowing Transaction
    ) throws(SQLError) -> Bool {
        let cursor = PinListing.Cursor(createdMilliseconds: time, id: PinListing.Cursor.start.id)
        let ids = try transaction.pinIDs(of: account, PinListing(after: cursor, limit: erasedAtOnce))
        for id in ids {
            if let pin = try transaction.pin(id, of: account) { try transaction.delete(pin, at: now) }
        }
        return ids.count == erasedAtOnce
    }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute("DELETE FROM map_regions WHERE account = ?1", account)
        try transaction.execute("DELETE FROM removals WHERE account = ?1", account)
        try transaction.execute("DELETE FROM forgotten_removals WHERE account = ?1", account)
        try transaction.enqueue(Work.forgetAccount, account, at: now)
    }
}
