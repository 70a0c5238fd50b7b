import Daemon
import EventLoops
import Geo
import Synchronization

/// Compares one in some live searches with brute force, beside the calls and one at a time: an index that is faster
/// than it should be is found by its own service.
final class Verifier: Sendable {
    /// What was asked.
    enum Question: Sendable {
        case nearby(NearbyQuestion)
        case within(WithinQuestion)

        var criteria: PlaceCriteria {
            switch self {
            case .nearby(let question): question.criteria
            case .within(let question): question.criteria
            }
        }

        var after: SearchCursor? {
            switch self {
            case .nearby(let question): question.after
            case .within(let question): question.after
            }
        }
    }

    private let rate: Int
    private let folder: String
    private let log: Log
    private let clock: WallClock
    private let turn = Atomic(0)
    private let isBusy = Atomic(false)
    private let stop = StopFlag()
    private let results = Mutex(VerifyTally())
    private let pool = BlockingPool(threadCount: 1, queueLimit: 1, name: "verify")

    /// Compares one in `rate` searches, from 1, and puts what differs into `folder`.
    init(rate: Int, folder: String, log: Log, clock: WallClock = .system) {
        self.rate = rate
        self.folder = folder
        self.log = log
        self.clock = clock
    }

    /// Whether nothing is being compared.
    var isIdle: Bool { !isBusy.load(ordering: .relaxed) }

    var tally: VerifyTally { results.withLock { $0 } }

    /// Tells of a search that was done, and its hits. Costs a counter unless it is the search's turn.
    func note(_ question: Question, _ view: CatalogView, _ hits: [Hit]) {
        guard turn.wrappingAdd(1, ordering: .relaxed).newValue % rate == 0 else { return }
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else {
            return results.withLock { $0.skipped += 1 }
        }
        do {
            let given = try hits.map { hit in
                try unsafe view.set.withPlace(hit) { id, _ in
                    BruteForce.Found(id: unsafe Array(id), metres: hit.metres)
                }
            }
            try pool.submit { [self] in
                compare(question, view, given)
                isBusy.store(false, ordering: .relaxed)
            }
        } catch {
            isBusy.store(false, ordering: .relaxed)
            results.withLock { $0.skipped += 1 }
        }
    }

    /// Ends what runs. Blocks.
    func close() {
        stop.set()
        pool.close()
    }

    private func compare(_ question: Question, _ view: CatalogView, _ given: [BruteForce.Found]) {
        let force = BruteForce(view: view) { [stop] in if stop.isSet { throw PlacesError.cancelled } }
        do {
            let expected =
                switch question {
                case .nearby(let question): try force.answer(question)
                case .within(let question): try force.answer(question)
                }
            guard results.withLock({ $0.add(expected: expected, given: given) }) else { return }
            report(Repro(question, view, expected: expected, given: given))
        } catch {
            results.withLock { $0.skipped += 1 }
        }
    }

    private func report(_ repro: Repro) {
        do {
            guard let path = try repro.write(to: folder, atUnixMilliseconds: clock.unixMilliseconds) else { return }
            log.error("a search gave a wrong answer", ["file": path])
        } catch {
            log.error("a search gave a wrong answer, which can't be kept", ["reason": "\(error)"])
        }
    }
}
