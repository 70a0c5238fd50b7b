import Daemon
import EventLoops
import Geo
import Requests
import Storage
import Stores
import Wire

/// All pins, on disk.
struct PinStore: Sendable {
    let database: Database
    /// Rung when work was asked for.
    let work = Bell()
    /// Rung for pins that have changed.
    let watches = Watches()

    /// Opens the database file at `path`, or makes it. Only one process may have it open: work that another one had
    /// begun is free to be taken.
    static func open(
        _ path: String, settings: DatabaseSettings = DatabaseSettings(), clock: WallClock = .system
    ) async throws(SQLError) -> PinStore {
        let database = try await Database.open(path, migrations: Schema.migrations, settings: settings)
        let now = clock.unixMilliseconds
        do {
            try await database.write { transaction throws(SQLError) in try transaction.recoverJobs(at: now) }
        } catch {
            await database.close()
            throw error
        }
        return PinStore(database: database)
    }

    /// Ends what runs and lets go of the file.
    func close() async { await database.close() }

    /// Looks something up, on one view of the data.
    func read<Value: Sendable>(
        deadline: ContinuousClock.Instant? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        try await StoreError.converting("pins") { () async throws(SQLError) in
            try await database.read(deadline: deadline, body)
        }
    }

    /// Makes a change that somebody asks for, and notifies those who wait for one of `pin`.
    func make<Response: WireMessage>(
        _ change: Change, deadline: ContinuousClock.Instant? = nil, pin: (id: PinID, account: String)? = nil,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Response, PinError>
    ) async throws -> Response {
        let response = try await database.make(change, of: "pins", deadline: deadline, body)
        work.ring()
        if let pin { watches.ring(pin.id, of: pin.account) }
        return response
    }

    /// Brings pins that earlier programs have stored on their way: begins searches where there are none, and ends the
    /// wait for networks that are asked no more.
    func adopt(_ networks: [PlaceNetwork], at time: Int64) async throws(SQLError) {
        while try await adoptSome(networks, at: time) > 0 {}
        while try await freeSome(at: time) > 0 {}
    }

    private func adoptSome(_ networks: [PlaceNetwork], at time: Int64) async throws(SQLError) -> Int {
        try await database.write { transaction throws(SQLError) in
            let ids = try transaction.unsearchedPins(limit: 200)
            for id in ids {
                guard var pin = try transaction.pin(id) else { continue }
                pin.searches = networks.map { NetworkSearch(network: $0.name, generation: pin.generation) }
                for search in pin.searches { try transaction.put(search, of: id) }
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
                guard let pin = try transaction.pin(id), let search = pin.searches.first(where: \.hasEnded) else {
                    continue
                }
                // Written as it is: what follows from its end is done now.
                try transaction.put(search, of: pin, at: time)
            }
            return ids.count
        }
    }
}

extension Transaction {
    /// The account's pins within the radius, nearest first.
    func near(_ query: NearQuery, of account: String) throws(SQLError) -> PinsFound {
        let chosen = try nearest(query, of: account)
        var hits: [PinsFound.Hit] = []
        for hit in chosen.nearest {
            guard let pin = try pin(hit.id, of: account) else { continue }
            hits.append(PinsFound.Hit(pin: pin, metres: hit.metres))
        }
        return PinsFound(hits: hits, isTruncated: chosen.isTruncated)
    }

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

    /// The box around all pins of an account, or around the places of one; a refusal when that pin is not there.
    func bounds(of pin: PinID?, of account: String) throws(SQLError) -> Result<Box?, PinError> {
        guard let pin else { return .success(Box(around: try positions(of: account))) }
        guard try self.pin(pin, of: account) != nil else { return .failure(.notFound(pin)) }
        return .success(Box(around: try positions(ofPlacesOf: pin)))
    }
}
