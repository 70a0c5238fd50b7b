import Daemon
import EventLoops
import Geo
import Requests
import Synchronization

/// Compares one in some searches with the table's own answer, one at a time: a service finds errors of its index.
final class NearVerifier: Sendable {
    private struct Question: Sendable {
        let query: NearQuery
        let account: String
    }

    private struct State {
        var turn = 0
        var next: Question?
        var isBusy = false
        var tally = Tally()
    }

    private struct Tally {
        var searches: UInt64 = 0
        var wrong: UInt64 = 0
        var skipped: UInt64 = 0
    }

    private let rate: Int
    private let log: Log?
    private let state = Mutex(State())
    private let bell = Bell()

    init(rate: Int, log: Log?) {
        self.rate = rate
        self.log = log
    }

    /// Offers a completed search for comparison. Costs a counter unless it is the search's turn.
    func offer(_ query: NearQuery, _ account: String) {
        let isTaken = state.withLock { state in
            state.turn = (state.turn + 1) % rate
            guard state.turn == 0 else { return false }
            guard !state.isBusy else {
                state.tally.skipped += 1
                return false
            }
            state.isBusy = true
            state.next = Question(query: query, account: account)
            return true
        }
        if isTaken { bell.ring() }
    }

    /// Compares what is noted until the task is cancelled.
    func run(_ search: NearSearch) async {
        while !Task.isCancelled {
            let rung = bell.count
            if let question = state.withLock({ $0.next.take() }) {
                await compare(question, search)
            } else {
                await bell.wait(after: rung)
            }
        }
    }

    private func compare(_ question: Question, _ search: NearSearch) async {
        let result = try? await search.compare(question.query, question.account)
        let isWrong = result.map { $0.given != $0.expected } ?? false
        state.withLock { state in
            state.isBusy = false
            if result == nil { state.tally.skipped += 1 } else { state.tally.searches += 1 }
            if isWrong { state.tally.wrong += 1 }
        }
        guard isWrong else { return }
        let query = question.query
        log?.error(
            "a search gave a wrong answer",
            [
                "rows": search.table.content, "centre": "\(query.centre.latitude), \(query.centre.longitude)",
                "radius_m": "\(query.radiusMetres)", "limit": "\(query.limit)",
            ])
    }

    func families(of content: String) -> [MetricFamily] {
        let tally = state.withLock { $0.tally }
        func counter(_ name: String, _ help: String, _ count: UInt64) -> MetricFamily {
            MetricFamily(
                "waymark_near_verify_\(name)_total", .counter, help, [MetricSample(["rows": content], .count(count))])
        }
        return [
            counter("searches", "Searches that were compared with the table's own answer.", tally.searches),
            counter("wrong", "Of these, those that gave another one.", tally.wrong),
            counter("skipped", "Searches that were chosen and could not be compared.", tally.skipped),
        ]
    }
}
