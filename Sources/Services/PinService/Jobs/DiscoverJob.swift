import Bytes
import Daemon
import EventLoops
import Geo
import Requests
import Storage

/// Finds the places of a network around a pin, and links them page by page.
///
/// Each page is a transaction of its own, so that the first places are visible early. A run that is interrupted starts
/// over: linking a place twice does nothing. A network that fails is asked again behind its pin, which does not wait.
struct DiscoverJob: Sendable {
    /// Places requested at once.
    static let pageSize = 200
    /// How many pins learn at once that a service is away.
    private static let awayBatch = 500
    /// A live network is given a little time before it is asked again.
    private static let liveBackoff: ClosedRange<Duration> = .seconds(2) ... .seconds(30)

    let store: PinStore
    let finder: any PlaceFinder
    let networks: PinNetworks
    let clock: WallClock

    /// A network could not be asked, or gave no answer.
    struct Failure: Error, CustomStringConvertible {
        /// The generation for which it was asked.
        let asked: Int64
        let fault: NetworkFault
        /// How many of its places are linked all the same.
        var placeCount = 0
        /// How long to wait before it is asked again.
        var pause: Duration = .zero
        /// What the places service said, for the log.
        var cause: PeerError?

        var description: String { cause?.description ?? fault.description }
    }

    /// One kind per network. A live one has as many workers as keep it busy at its rate; jobs requested by an earlier
    /// version of the program are run by the catalog's.
    var kinds: [JobKind] {
        PlaceNetwork.names.map { name in
            PlaceNetwork.live(name) == nil
                ? kind(name, workers: 16, JobKind.defaultBackoff) : kind(name, workers: 6, Self.liveBackoff)
        }
    }

    /// When a network refuses, the search counts it and ends eventually; a job is never given up before that.
    private func kind(_ network: String, workers: Int, _ backoff: ClosedRange<Duration>) -> JobKind {
        JobKind(
            Work.discovery(at: network), workers: workers, timeout: .seconds(60), backoff: backoff,
            reach: NetworkFault.longestOwnPause,
            pause: { error in (error as? Failure)?.pause ?? .zero },
            isPeerAway: { error in (error as? Failure)?.fault.kind == .away },
            settle: { transaction, lease, _, error throws(SQLError) in
                try settle(transaction, lease, error)
            },
            body: { lease in
                do {
                    try await run(lease)
                } catch var failure as Failure {
                    failure.pause = failure.fault.pause(after: lease.tries)
                    throw failure
                }
            })
    }

    private func run(_ lease: JobLease) async throws {
        guard let (id, name) = Work.subject(of: lease.key), let (pin, choice) = try await pin(id) else {
            return try await store.drop(lease, at: clock.unixMilliseconds)
        }
        guard let network = networks.named(name), choice.allows(name) else {
            return try await finish(name, pin, lease) { $0.disabled("it was disabled") }
        }
        let question = PlaceQuestion(
            network: name, centre: pin.position, radiusMetres: pin.radiusMetres, account: pin.account,
            nearest: network.mostLinks)
        let live = network.isLive ? try await discover(question, pin) : LiveAnswer()
        if let off = live.off { return try await finish(name, pin, lease) { $0.disabled(off) } }
        if let fault = live.fault, hasNothingNew(live, network, pin) {
            throw Failure(asked: pin.generation, fault: fault)
        }
        var (count, page, farthest) = (0, "", 0.0)
        repeat {
            let answer: PlacePage
            do {
                answer = try await ask(question, page, min(Self.pageSize, network.mostLinks - count), pin)
            } catch var failure as Failure {
                failure.placeCount = count
                throw failure
            }
            // Whatever a network returns, a place outside of the circle does not belong to the pin.
            let near = answer.places.filter { pin.position.metres(to: $0.position) <= pin.radiusMetres }
            guard try await link(near, network, pin, lease) else { return }
            count += near.count
            farthest = near.last.map { pin.position.metres(to: $0.position) } ?? farthest
            page = near.isEmpty ? "" : answer.next
        } while !page.isEmpty && count < network.mostLinks
        let isCut = !page.isEmpty
        guard try await noteNeighbours(of: pin, network, isCut ? farthest : pin.radiusMetres, lease) else { return }
        // Places that a failing network returned before are linked all the same.
        if let fault = live.fault {
            throw Failure(asked: pin.generation, fault: fault, placeCount: count)
        }
        let isTruncated = isCut || live.warning != nil
        try await finish(name, pin, lease) { [count] search in
            search.done(placeCount: Int64(count), isTruncated: isTruncated, warning: live.warning ?? "")
        }
    }

    private func pin(_ id: PinID) async throws -> (Pin, NetworkChoice)? {
        try await store.database.read { [store] transaction throws(SQLError) in
            guard let pin = try transaction.pin(id) else { return nil }
            return (pin, try store.settings(of: pin.account, transaction).networks.limited(to: pin.limit))
        }
    }

    /// Whether a network that failed again gave as much as before, so that all of it is linked.
    private func hasNothingNew(_ answer: LiveAnswer, _ network: PlaceNetwork, _ pin: Pin) -> Bool {
        pin.searches.contains { search in
            search.network == network.name && search.generation == pin.generation && search.state == .retrying
                && search.placeCount == min(answer.placeCount, Int64(network.mostLinks))
        }
    }

    private func discover(_ question: PlaceQuestion, _ pin: Pin) async throws -> LiveAnswer {
        do throws(PeerError) {
            return try await finder.discover(question)
        } catch {
            throw Failure(asked: pin.generation, fault: NetworkFault(error), cause: error)
        }
    }

    func ask(
        _ question: PlaceQuestion, _ page: String, _ limit: Int, _ pin: Pin
    ) async throws -> PlacePage {
        do throws(PeerError) {
            return try await finder.places(question, page: page, limit: limit)
        } catch {
            throw Failure(asked: pin.generation, fault: NetworkFault(error), cause: error)
        }
    }

    /// False when this run has nothing more to do: the pin was deleted, or another run has taken over.
    private func link(
        _ places: [NetworkPlace], _ network: PlaceNetwork, _ pin: Pin, _ lease: JobLease
    ) async throws -> Bool {
        if places.isEmpty { return true }
        return try await store.database.write(.subject(pin.account)) { transaction throws(SQLError) in
            guard try transaction.holds(lease) else { return false }
            // A photo count that another account's place gets just now comes again, when this one has been sent.
            return try transaction.link(places, of: network.name, to: pin.id, asked: pin.generation)
        }
    }

    private func finish(
        _ network: String, _ asked: Pin, _ lease: JobLease,
        _ outcome: @escaping @Sendable (NetworkSearch) -> NetworkSearch
    ) async throws {
        let now = clock.unixMilliseconds
        try await store.database.write(.subject(asked.account)) { transaction throws(SQLError) in
            guard try transaction.complete(lease, at: now) else { return try transaction.undo() }
            guard let pin = try transaction.pin(asked.id), pin.generation == asked.generation,
                let search = pin.searches.first(where: { $0.network == network })
            else { return }
            try transaction.put(outcome(search), of: pin, at: now)
        }
    }

    private func settle(_ transaction: borrowing Transaction, _ lease: JobLease, _ error: any Error) throws(SQLError) {
        guard let (id, network) = Work.subject(of: lease.key), let pin = try transaction.pin(id),
            let search = pin.searches.first(where: { $0.network == network }),
            let failure = Self.failure(error, pin),
            let failed = search.failed(failure.fault, asked: failure.asked, placeCount: failure.placeCount)
        else { return }
        let now = clock.unixMilliseconds
        if failed.hasEnded { try transaction.cancelJob(lease.kind, lease.key) }
        if failed != search || pin.state.isUnsettled { try transaction.put(failed, of: pin, at: now) }
        if failure.fault.kind == .away, !failed.isAwaited {
            try transaction.endWaits(for: network, failure.fault, limit: Self.awayBatch, at: now)
        }
    }

    /// What an error says of the network; nil for one of our own.
    private static func failure(_ error: any Error, _ pin: Pin) -> Failure? {
        if let timeout = error as? JobTimeout {
            return Failure(asked: pin.generation, fault: NetworkFault(PeerError.late(timeout.description)))
        }
        return error as? Failure
    }
}

extension DiscoverJob {
    /// Records the places of a network around those that a pin links, which reach `linkedMetres` far, so that the photo
    /// service assigns no photo to a linked place when another one is nearer. False when the run has nothing more to
    /// do.
    func noteNeighbours(
        of pin: Pin, _ network: PlaceNetwork, _ linkedMetres: Double, _ lease: JobLease
    ) async throws -> Bool {
        let reach = linkedMetres + Neighbour.reachMetres
        let question = PlaceQuestion(
            network: network.name, centre: pin.position, radiusMetres: nil, account: pin.account)
        var (count, page) = (0, "")
        repeat {
            let answer = try await ask(question, page, Self.pageSize, pin)
            let near = answer.places.filter { pin.position.metres(to: $0.position) <= reach }
            let neighbours = near.map {
                Neighbour(id: $0.id, position: $0.position, isMinor: MinorKinds.areAll($0.categories))
            }
            let isHeld = try await store.database.write(.subject(pin.account)) { transaction throws(SQLError) in
                guard try transaction.holds(lease) else { return false }
                return try transaction.note(neighbours, of: pin.id)
            }
            guard isHeld else { return false }
            count += near.count
            page = near.isEmpty || near.count < answer.places.count ? "" : answer.next
        } while !page.isEmpty && count < network.mostLinks + Neighbour.most
        return true
    }
}
