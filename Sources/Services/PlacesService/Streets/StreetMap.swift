import Bytes
import Daemon
import EventLoops
import HTTPClient
import LiveNetworks
import Networks
import RPC
import Synchronization
import VectorTiles
import Wire

/// A tile as it is shown now.
struct ShownTile: Sendable, Equatable {
    let tile: KeptTile
    /// Whether there may be a newer one that could not be had.
    let isOld: Bool

    /// Since when it has not been asked for, in milliseconds since 1970; nil of one that is not old.
    var oldSince: Int64? { isOld ? tile.facts.fetched ?? tile.facts.expires : nil }
}

/// The streets of the world, from a server of vector tiles. What was fetched is kept for as long as the server says,
/// and shown after that too while the server does not answer. Its rate, its budget, its pauses and its switch are those
/// of any network.
final class StreetMap: Sendable {
    /// What is known of the tiles, and when that is asked for again.
    private struct Known {
        let description: TileDescription
        /// When the server said so; the distant past for what was kept from before.
        var asked: Int64
        var next: Int64
    }

    /// How long a tile that is kept, but has expired, waits for a newer one.
    private static let patienceWhenKept: Duration = .seconds(2)
    /// Requests under way, and callers whose answer has not been asked for yet.
    private static let maximumFlights = 256
    private static let descriptionPatience: Duration = .seconds(30)
    private static let descriptionLife: Int64 = 6 * 3_600_000
    /// When a description that could not be had is asked for again.
    private static let descriptionPause: Int64 = 60_000
    /// A tile that is missing is a reason to ask for the description again, but not more often.
    private static let shortestLife: Int64 = 600_000
    /// What stays kept longer was kept by a wrong clock.
    private static let longestLife: Int64 = 31 * 86_400_000

    let queue: NetworkQueue
    private let config: StreetConfig
    private let folder: TileFolder
    private let blocking: BlockingPool
    private let clock: WallClock
    private let log: Log?
    private let tiles = Flights<TileID, Result<KeptTile, AskFailure>>(limit: StreetMap.maximumFlights)
    private let descriptions = Flights<String, Result<TileDescription, AskFailure>>(limit: 1)
    private let known = Mutex<Known?>(nil)

    init(
        _ config: StreetConfig, _ folder: TileFolder, _ queue: NetworkQueue, _ blocking: BlockingPool,
        _ clock: WallClock, log: Log? = nil
    ) {
        (self.config, self.folder, self.queue) = (config, folder, queue)
        (self.blocking, self.clock, self.log) = (blocking, clock, log)
    }

    /// What it is, and the attribution that its server wants, as far as that is known.
    var about: ProviderAbout {
        let said = known.withLock { $0?.description.attribution ?? "" }
        return ProviderAbout(
            gives: "maps", attribution: said.isEmpty ? StreetConfig.network.maps?.attribution ?? "" : said,
            sends: "It learns which squares of the map, at least a kilometre wide, are looked at from here, the"
                + " contact, and this server's address.")
    }

    /// Learns where the tiles are before the first one is wanted, if it is on; waits no longer than `patience`.
    func prepare(within patience: Duration) async {
        await recall()
        guard queue.isOn else { return }
        _ = await description(for: .service, within: patience)
    }

    /// A tile, from the folder or from the server. UNAVAILABLE when it is not here and can't be had.
    /// - Parameter isInAdvance: no one looks at it yet.
    func tile(
        _ id: TileID, for asker: NetworkAsker, within patience: Duration, isInAdvance: Bool = false
    ) async throws(RPCError) -> ShownTile {
        guard queue.isOn else {
            throw RPCError(.notFound, "the streets of the world are switched off; networks on streetmap switches them")
        }
        let kept = await kept(id)
        if let kept, isFresh(kept) { return ShownTile(tile: kept, isOld: false) }
        if isInAdvance, !config.mayFetchInAdvance {
            if let kept { return ShownTile(tile: kept, isOld: true) }
            throw RPCError(.notFound, "the server of the streets allows only tiles to be fetched that are looked at")
        }
        let patience = kept == nil ? patience : min(patience, Self.patienceWhenKept)
        let found = await tiles.value(of: id, within: patience) { await self.fetch(id, kept, asker) }
        if case .success(let tile)? = found { return ShownTile(tile: tile, isOld: false) }
        if let kept { return ShownTile(tile: kept, isOld: true) }
        guard case .failure(let failure)? = found else {
            throw RPCError(.unavailable, "the tile takes longer to come; ask again")
        }
        throw RPCError(
            .unavailable, "the tile can't be had now: \(failure.reason)",
            details: StatusDetails(retryAfterMs: UInt64(clamping: failure.retryAfterMilliseconds ?? 10_000)))
    }

    /// Gives up what is under way.
    func stop() async {
        await tiles.stop()
        await descriptions.stop()
    }
}

// MARK: a tile

extension StreetMap {
    private func kept(_ id: TileID) async -> KeptTile? {
        guard let kept = try? await blocking.run({ [folder] in folder.tile(id) }) else { return nil }
        return kept
    }

    private func isFresh(_ tile: KeptTile) -> Bool {
        let now = clock.unixMilliseconds
        guard tile.facts.expires > now, tile.facts.expires - now < Self.longestLife else { return false }
        let edition = known.withLock { $0?.description.edition }
        return edition == nil || edition == tile.facts.edition
    }

    private func fetch(_ id: TileID, _ kept: KeptTile?, _ asker: NetworkAsker) async -> Result<KeptTile, AskFailure> {
        let described = await description(for: asker, within: Self.descriptionPatience)
        guard case .success(let map) = described else { return described.map { _ in .nothing } }
        guard map.has(id) else { return .success(.nothing) }
        let reply = await ask(id, map, kept, asker)
        // The path of an edition goes when the next one comes.
        if case .success(.missing) = reply, let newer = await newer(than: map, for: asker), newer.has(id) {
            return await take(ask(id, newer, kept, asker), id, newer, kept)
        }
        return await take(reply, id, map, kept)
    }

    private func ask(
        _ id: TileID, _ map: TileDescription, _ kept: KeptTile?, _ asker: NetworkAsker
    ) async -> Result<StreetReply, AskFailure> {
        let url = map.url(of: id)
        var request = HTTPClientRequest(url: url, headers: [("Accept", "application/x-protobuf, */*;q=0.5")])
        // A tag of another edition is of another path.
        if let facts = kept?.facts, facts.edition.isSame(as: map.edition) {
            if !facts.tag.isEmpty {
                request.headers.append(("If-None-Match", facts.tag))
            } else if !facts.modified.isEmpty {
                request.headers.append(("If-Modified-Since", facts.modified))
            }
        }
        request.timeout = .seconds(20)
        request.connectTimeout = .seconds(5)
        request.maximumBytes = StreetReply.maximumUnpacked
        request.isPublicOnly = config.isPublicOnly(url)
        let edition = map.edition
        return await asking { [queue, request] in
            try await queue.ask(request, for: asker, read: { StreetReply.read($0, edition: edition, at: $1) })
        }
    }

    private func take(
        _ reply: Result<StreetReply, AskFailure>, _ id: TileID, _ map: TileDescription, _ kept: KeptTile?
    ) async -> Result<KeptTile, AskFailure> {
        switch reply {
        case .failure(let failure): return .failure(failure)
        case .success(.tile(let tile, let mayBeKept)):
            if mayBeKept { await keep(tile, id) }
            return .success(tile)
        case .success(.missing(let expires)):
            if let kept, !kept.packed.isEmpty, kept.facts.edition.isSame(as: map.edition) {
                return .failure(AskFailure(.malformed, "a tile that it had is missing"))
            }
            let now = clock.unixMilliseconds
            let tile = KeptTile([], KeptTile.Facts(edition: map.edition, expires: expires, fetched: now))
            await keep(tile, id)
            return .success(tile)
        case .success(.same(let expires)):
            guard var tile = kept else { return .failure(AskFailure(.malformed, "it says that nothing has changed")) }
            tile.facts.expires = expires
            tile.facts.fetched = clock.unixMilliseconds
            await keep(tile, id)
            return .success(tile)
        }
    }

    /// Where it can't be kept, as on a full disk, it is shown all the same.
    private func keep(_ tile: KeptTile, _ id: TileID) async {
        do {
            try await blocking.run { [folder] in try folder.keep(tile, as: id) }
        } catch {
            log?.info("a tile of the streets is not kept", ["reason": "\(error)"])
        }
    }

    private func asking<Answer: Sendable>(
        _ body: () async throws -> Result<Answer, AskFailure>
    ) async -> Result<Answer, AskFailure> {
        do {
            return try await body()
        } catch {
            if !Task.isCancelled { log?.warning("the streets can't be asked for", ["reason": "\(error)"]) }
            return .failure(AskFailure(.unavailable, "it can't be asked now"))
        }
    }
}

// MARK: where the tiles are

extension StreetMap {
    /// What the server said last; what it said before while it does not answer.
    private func description(
        for asker: NetworkAsker, within patience: Duration
    ) async -> Result<TileDescription, AskFailure> {
        await recall()
        let now = clock.unixMilliseconds
        let before = known.withLock { $0 }
        if let before, before.next > now, before.next - now <= Self.descriptionLife {
            return .success(before.description)
        }
        let found = await descriptions.value(of: config.address, within: patience) { await self.describe(asker) }
        if let found, case .success = found { return found }
        guard let before else { return found ?? .failure(.late) }
        _ = known.withLock { $0?.next = now + Self.descriptionPause }
        return .success(before.description)
    }

    /// Another one than this, if there is: it was not asked for just now.
    private func newer(than map: TileDescription, for asker: NetworkAsker) async -> TileDescription? {
        let now = clock.unixMilliseconds
        let isOld = known.withLock { known in
            guard let age = known.map({ now - $0.asked }), age > Self.shortestLife || age < 0 else { return false }
            known?.next = now
            return true
        }
        guard isOld, case .success(let newer) = await description(for: asker, within: Self.descriptionPatience) else {
            return nil
        }
        return newer.edition.isSame(as: map.edition) ? nil : newer
    }

    private func describe(_ asker: NetworkAsker) async -> Result<TileDescription, AskFailure> {
        var request = HTTPClientRequest(url: config.address, headers: [("Accept", "application/json")])
        request.timeout = .seconds(15)
        request.connectTimeout = .seconds(5)
        request.maximumBytes = 1 << 20
        let answer = await asking { [queue, request, config] in
            try await queue.ask(request, for: asker, read: { Described.read($0, config, at: $1) })
        }
        guard case .success(let described) = answer else { return answer.map(\.description) }
        let now = clock.unixMilliseconds
        known.withLock { $0 = Known(description: described.description, asked: now, next: now + Self.descriptionLife) }
        do {
            try await blocking.run { [folder] in try folder.keep(description: described.json) }
        } catch {
            log?.info("where the tiles of the streets are is not kept", ["reason": "\(error)"])
        }
        return .success(described.description)
    }

    /// Reads what was said to an earlier process, if nothing is known yet: it is good while the server is away.
    private func recall() async {
        guard known.withLock({ $0 == nil }),
            let json = try? await blocking.run({ [folder] in folder.description }),
            let description = try? TileDescription(json: json, config)
        else { return }
        known.withLock { if $0 == nil { $0 = Known(description: description, asked: 0, next: 0) } }
    }
}

/// What a server says of its tiles, and how it says it.
private struct Described: Sendable {
    let description: TileDescription
    let json: [UInt8]

    static func read(
        _ response: HTTPClientResponse, _ config: StreetConfig, at now: Int64
    ) -> Result<Described, AskFailure> {
        if let failure = AskFailure(response, at: now) { return .failure(failure) }
        do throws(AskFailure) {
            let description = try TileDescription(json: response.body, config)
            return .success(Described(description: description, json: response.body))
        } catch {
            return .failure(error)
        }
    }
}

extension AskFailure {
    fileprivate static let late = AskFailure(.timeout, "it did not answer in time")
}
