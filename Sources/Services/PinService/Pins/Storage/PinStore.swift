import Bytes
import Daemon
import EventLoops
import Geo
import NearRows
import Requests
import Storage
import Stores
import Wire

/// All pins, on disk.
struct PinStore: Sendable {
    let database: Database
    /// Names the data, for clients that know several replicas.
    let dataName: String
    /// What an account has chosen that has not said.
    let firstNetworks: NetworkChoice
    /// Searches for pins around a point.
    let near: NearSearch

    /// Opens the database at `address`, or creates its tables, and reads where all pins are.
    /// - Parameter verifyRate: compares one in so many searches with the database's; 0 for none.
    static func open(
        _ address: String, settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = .system,
        firstNetworks: NetworkChoice = .all, verifyRate: Int = 0, log: Log? = nil
    ) async throws(SQLError) -> PinStore {
        let database = try await Database.open(address, migrations: PinParts.migrations, settings: settings)
        let now = clock.unixMilliseconds
        do throws(SQLError) {
            try await database.recoverJobs(at: now)
            let epoch = try await database.write { transaction throws(SQLError) in try transaction.epoch() }
            let near = NearSearch(NearPins(), database, verifyRate: verifyRate, log: log)
            try await near.load()
            return PinStore(
                database: database, dataName: DataName.of(database, epoch: epoch), firstNetworks: firstNetworks,
                near: near)
        } catch {
            await database.close()
            throw error
        }
    }

    /// Ends running work and closes the file.
    func close() async { await database.close() }

    /// Reads from one snapshot of the data.
    func read<Value: Sendable>(
        _ scope: ReadScope = .snapshot, deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("pins") { () async throws(SQLError) in
            try await database.read(scope, deadline: deadline, body)
        }
    }

    /// What the watchers of one pin wait for: a part of its account.
    static func subject(of pin: PinID, _ account: String) -> String { Notices.part("\(pin)", of: account) }

    /// The settings of an account.
    func settings(of account: String, _ transaction: borrowing Transaction) throws(SQLError) -> AccountSettings {
        try transaction.settings(of: account) ?? AccountSettings(networks: firstNetworks)
    }

    /// Ends all watches.
    func leave() { database.notices.close() }

    /// Makes a requested change of the caller's account.
    func make<Response: WireMessage>(
        _ change: Change, deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Response, PinError>
    ) async throws -> Response {
        try await database.make(change, of: "pins", .subject(change.account), deadline: deadline, body)
    }

    /// Updates pins that earlier versions of the program stored: begins searches where there are none, ends the wait
    /// for networks that are no longer asked, and requests work that is waited for and was never requested.
    func adopt(_ networks: [PlaceNetwork], at time: Int64) async throws(SQLError) {
        while try await adoptSome(networks, at: time) > 0 {}
        while try await freeSome(at: time) > 0 {}
        var last: PinID? = PinID(high: 0, low: 0)
        while let after = last { last = try await advanceSome(after: after, at: time) }
    }

    private func adoptSome(_ networks: [PlaceNetwork], at time: Int64) async throws(SQLError) -> Int {
        try await database.write { transaction throws(SQLError) in
            let ids = try transaction.unsearchedPins(limit: 200)
            for id in ids {
                guard var pin = try transaction.pin(id) else { continue }
                pin.searches = networks.map { NetworkSearch(network: $0.name, generation: pin.generation) }
                for search in pin.searches { try transaction.putSearch(search, of: id) }
                try transaction.beginSearch(try transaction.touch(pin), at: time)
            }
            return networks.isEmpty ? 0 : ids.count
        }
    }

    private func freeSome(at time: Int64) async throws(SQLError) -> Int {
        try await database.write { transaction throws(SQLError) in
            let ids = try transaction.pinsWithEarlierSearches(limit: 200)
            for id in ids {
                guard let stored = try transaction.pin(id) else { continue }
                try transaction.dropEarlierSearches(of: stored)
                guard let pin = try transaction.pin(id), pin.searches.contains(where: { !$0.isAwaited }) else {
                    continue
                }
                try transaction.advance(pin, asksForPhotos: true, at: time)
            }
            return ids.count
        }
    }

    /// Returns the last pin that was looked at; nil when there are no more.
    private func advanceSome(after last: PinID, at time: Int64) async throws(SQLError) -> PinID? {
        try await database.write { transaction throws(SQLError) in
            let ids = try transaction.unsettledPins(after: last, limit: 200)
            for id in ids {
                guard let pin = try transaction.pin(id) else { continue }
                try transaction.requestMissing(of: pin, at: time)
            }
            return ids.last
        }
    }
}

extension Transaction {
    /// A page of the account's pins.
    func list(_ listing: PinListing, of account: String) throws(SQLError) -> PinsListed {
        let ids = try pinIDs(of: account, PinListing(after: listing.after, limit: listing.limit + 1))
        var pins: [Pin] = []
        for id in ids.prefix(listing.limit) {
            if let pin = try pin(id, of: account) { pins.append(pin) }
        }
        return PinsListed(pins: pins, hasMore: ids.count > listing.limit)
    }

    /// A page of the places of a pin; nil when the account has no such pin.
    func list(_ listing: PlaceListing, of account: String) throws(SQLError) -> PlacesListed? {
        guard try pin(listing.pin, of: account) != nil else { return nil }
        var more = listing
        more.limit += 1
        let places = try links(more)
        return PlacesListed(
            places: Array(places.prefix(listing.limit)), hasMore: places.count > listing.limit,
            count: try linkCount(listing))
    }

    /// The box around all pins of an account, or around the places of one; a refusal when that pin does not exist.
    func bounds(of pin: PinID?, of account: String) throws(SQLError) -> Result<Box?, PinError> {
        guard let pin else { return .success(Box(around: try positions(of: account))) }
        guard try self.pin(pin, of: account) != nil else { return .failure(.notFound(pin)) }
        return .success(Box(around: try positions(ofPlacesOf: pin)))
    }
}

/// The kinds of jobs for a pin. The names are stored in the database.
enum Work {
    /// Finds places of the catalog. Key: "<pin>/<network>".
    static let discover = "discover"
    /// Finds a name. Key: "<pin>".
    static let name = "name"
    /// Has pins named again. Key: the pin that was looked at last, empty for the first ones.
    static let names = "names"
    /// Asks for the photos. Key: "<pin>".
    static let albums = "albums"
    /// Notifies the photo service that a pin was deleted. Key: "<pin>/<account>".
    static let forget = "forget"
    /// Has all removed that a deleted account had at the photo service and the places service. Key: the account.
    static let forgetAccount = "erase photos"
    /// Says to the places service where a pin is, or that it is gone. Key: "<pin>".
    static let hold = "hold"
    /// Does what follows from other networks. Key: the account.
    static let networks = "networks"

    /// Finds places of a network; each live one has its own kind: a slow one delays no other.
    static func discovery(at network: String) -> String {
        PlaceNetwork.live(network) == nil ? discover : "\(discover)/\(network)"
    }

    /// The key of a job for a pin, `rest` being the part after its id.
    static func key(_ pin: PinID, _ rest: String = "") -> String { rest.isEmpty ? "\(pin)" : "\(pin)/\(rest)" }

    /// The pin in a key, and the part after it.
    static func subject(of key: String) -> (pin: PinID, rest: String)? {
        let parts = key.split(at: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let pin = PinID(String(first)) else { return nil }
        return (pin, parts.count > 1 ? String(parts[1]) : "")
    }
}
