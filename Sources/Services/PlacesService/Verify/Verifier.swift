import Daemon
import EventLoops
import Geo
import Synchronization

/// Compares one in some live searches with brute force, in the background and one at a time: a service finds errors of
/// its own index.
final class Verifier: Sendable {
    /// The query of a search.
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

    /// Compares one in `rate` searches, from 1, and writes differences to `folder`.
    init(rate: Int, folder: String, log: Log, clock: WallClock = .system) {
        self.rate = rate
        self.folder = folder
        self.log = log
        self.clock = clock
    }

    /// Whether nothing is being compared.
    var isIdle: Bool { !isBusy.load(ordering: .relaxed) }

    var tally: VerifyTally { results.withLock { $0 } }

    /// Offers a completed search and its hits for comparison. Costs a counter unless it is the search's turn.
    func offer(_ question: Question, _ view: CatalogView, _ hits: [Hit]) {
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

/// The results of the comparisons so far.
struct VerifyTally: Equatable {
    /// Searches that were compared.
    var searches: UInt64 = 0
    /// Places that they had to return.
    var expected: UInt64 = 0
    /// How many of these were missing.
    var missing: UInt64 = 0
    /// Places returned that should not have been.
    var unexpected: UInt64 = 0
    /// Places returned at another position in the list, or with another distance, than they should have.
    var orderErrors: UInt64 = 0
    /// Searches that were chosen while another one was being compared, or that ended without a result.
    var skipped: UInt64 = 0

    /// Share of the places that were given; 1 before the first.
    var recall: Double { expected == 0 ? 1 : Double(expected - missing) / Double(expected) }

    /// Adds one comparison; returns whether it found a difference.
    mutating func add(expected: [BruteForce.Found], given: [BruteForce.Found]) -> Bool {
        let wanted = Set(expected.map(\.id))
        let ids = Set(given.map(\.id))
        searches += 1
        self.expected += UInt64(expected.count)
        missing += UInt64(wanted.subtracting(ids).count)
        unexpected += UInt64(ids.subtracting(wanted).count)
        // Compared among the places in both lists, so that a missing one does not count for all after it.
        let common = expected.filter { ids.contains($0.id) }
        orderErrors += UInt64(zip(common, given.filter { wanted.contains($0.id) }).count { $0 != $1 })
        return expected != given
    }

    var families: [MetricFamily] {
        func counter(_ name: String, _ help: String, _ count: UInt64) -> MetricFamily {
            MetricFamily("waymark_verify_\(name)_total", .counter, help, .count(count))
        }
        return [
            counter("searches", "Searches that were compared with brute force.", searches),
            counter("expected", "Places that these searches had to give.", expected),
            counter("missing", "Places that they did not give.", missing),
            counter("unexpected", "Places that they gave and should not have.", unexpected),
            counter("order_errors", "Places in the wrong position, or with a wrong distance.", orderErrors),
            counter("skipped", "Searches that were chosen and could not be compared.", skipped),
            MetricFamily(
                "waymark_verify_recall_ratio", .gauge, "Share of the places that were given.", .number(recall)),
        ]
    }
}
