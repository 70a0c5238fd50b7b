import Bytes
import Daemon
import EventLoops
import Geo
import Storage

/// Finds the places of a network around a pin, links them page by page, and notes their neighbours.
///
/// Each page is a transaction of its own, so that the first places are visible early; the last one ends the search. A
/// run that is interrupted starts over: linking a place twice does nothing. A network that fails is asked again behind
/// its pin, which does not wait.
struct DiscoverJob: Sendable {
    /// Places requested at once.
    static let pageSize = 200
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
            tellOthers: tellOthers,
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
        let live = network.isLive ? try await discover(network, pin) : LiveAnswer()
        if let off = live.off { return try await finish(name, pin, lease) { $0.disabled(off) } }
        if let fault = live.fault, hasNothingNew(live, network, pin) {
            throw Failure(asked: pin.generation, fault: fault)
        }
        var (around, page) = (PlacesAround(pin, of: network), "")
        repeat {
            let answer: PlacePage
            do {
                answer = try await ask(network, page, pin)
            } catch var failure as Failure {
                failure.placeCount = around.linkCount
                throw failure
            }
            let part = around.take(answer)
            // Places that a failing network returned before are linked all the same.
            let isEnd = around.isComplete && live.fault == nil
            let end = isEnd ? End(count: around.linkCount, isCut: around.isCut, warning: live.warning) : nil
            guard try await keep(part, network, pin, lease, end) else { return }
            page = answer.next
        } while !around.isComplete
        if let fault = live.fault {
            throw Failure(asked: pin.generation, fault: fault, placeCount: around.linkCount)
        }
    }

    /// How a search ends that has an answer.
    private struct End {
        let count: Int
        let isCut: Bool
        let warning: String?

        func outcome(_ search: NetworkSearch) -> NetworkSearch {
            search.done(placeCount: Int64(count), isTruncated: isCut || warning != nil, warning: warning ?? "")
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
                && search.placeCount == min(answer.placeCount, Int64(network.maximumLinks))
        }
    }

    private func discover(_ network: PlaceNetwork, _ pin: Pin) async throws -> LiveAnswer {
        let question = PlaceQuestion(
            network: network.name, centre: pin.position, radiusMetres: pin.radiusMetres, account: pin.account,
            nearest: network.maximumLinks)
        do throws(PeerError) {
            return try await finder.discover(question)
        } catch {
            throw Failure(asked: pin.generation, fault: NetworkFault(error), cause: error)
        }
    }

    /// The only question about the places of a network around a pin, page by page.
    private func ask(_ network: PlaceNetwork, _ page: String, _ pin: Pin) async throws -> PlacePage {
        let question = PlaceQuestion(
            network: network.name, centre: pin.position, radiusMetres: PlacesAround.metres(of: pin),
            account: pin.account)
        do throws(PeerError) {
            return try await finder.places(question, page: page, limit: Self.pageSize)
        } catch {
            throw Failure(asked: pin.generation, fault: NetworkFault(error), cause: error)
        }
    }

    /// Keeps a page, and with the last one the end of the search. False when this run has nothing more to do: the pin
    /// was deleted, or another run has taken over.
    private func keep(
        _ part: PlacesAround.Part, _ network: PlaceNetwork, _ asked: Pin, _ lease: JobLease, _ end: End?
    ) async throws -> Bool {
        if end == nil, part == PlacesAround.Part() { return true }
        let now = clock.unixMilliseconds
        return try await store.database.write(.subject(asked.account)) { transaction throws(SQLError) in
            guard try end == nil ? transaction.holds(lease) : transaction.complete(lease, at: now) else {
                try transaction.undo()
                return false
            }
            guard var pin = try transaction.pin(asked.id) else { return end != nil }
            // A photo count that another account's place gets just now comes again, when this one has been sent.
            pin = try transaction.link(part.links, of: network.name, to: pin, asked: asked.generation)
            try transaction.recordNeighbours(part.neighbours, of: pin.id)
            guard let end, pin.generation == asked.generation,
                let search = pin.searches.first(where: { $0.network == network.name })
            else { return true }
            try transaction.putSearch(end.outcome(search), of: pin, at: now)
            return true
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
            try transaction.putSearch(outcome(search), of: pin, at: now)
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
        if failed != search || pin.state.isUnsettled { try transaction.putSearch(failed, of: pin, at: now) }
    }

    private func tellOthers(_ lease: JobLease, _ error: any Error) async {
        guard let (id, network) = Work.subject(of: lease.key), let failure = error as? Failure,
            failure.fault.kind == .away
        else { return }
        try? await store.endWaits(for: network, foundBy: id, failure.fault, at: clock.unixMilliseconds)
    }

    /// What an error says of the network; nil for one of our own.
    private static func failure(_ error: any Error, _ pin: Pin) -> Failure? {
        if let timeout = error as? JobTimeout {
            return Failure(asked: pin.generation, fault: NetworkFault(PeerError.late(timeout.description)))
        }
        return error as? Failure
    }
}
