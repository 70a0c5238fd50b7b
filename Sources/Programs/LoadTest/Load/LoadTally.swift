import EventLoops
package import RPC

/// The counts of a load.
package struct LoadTally: Sendable {
    /// The calls that ended with one code.
    struct Failures: Sendable {
        /// Of the first one.
        let message: String
        var latency = LatencyHistogram()
    }

    /// How many items the answers contain that were examined.
    struct Things: Sendable, Equatable {
        var answers = 0
        var sum = 0
        var least = Int.max
        var most = 0

        mutating func add(_ count: Int) {
            answers += 1
            sum += count
            least = min(least, count)
            most = max(most, count)
        }
    }

    /// All calls that were due in the window, from when they were due; failed and unsent ones too.
    private(set) var latency = LatencyHistogram()
    /// Those that were sent, from when they were sent.
    private(set) var uncorrected = LatencyHistogram()
    /// How late calls were sent when only this program delayed them.
    private(set) var lag = LatencyHistogram()
    private(set) var failures: [RPCCode: Failures] = [:]
    private(set) var things = Things()
    /// How the branches of answers went, in the order in which answers name them; empty when they have none.
    private(set) var branches: [BranchTally] = []
    /// Answers that lack a branch: it failed, or was late.
    private(set) var incomplete: UInt64 = 0
    private(set) var slices: TimeSlices
    /// Calls that succeeded within the window, whenever they were due.
    private(set) var answered: UInt64 = 0
    /// Calls that were due but never sent: too many were in flight. They count with the time that they had waited.
    private(set) var unsent: UInt64 = 0
    /// Calls that were in flight when the load was stopped. They count with the time that they had taken.
    private(set) var cutOff: UInt64 = 0
    /// The length of the measurement.
    var length: Duration = .zero
    /// Processor time of this program's sending thread in that time.
    var processor = ThreadTime()

    init(slices: TimeSlices) { self.slices = slices }

    /// Nothing was counted.
    package init() { slices = TimeSlices() }

    var failed: UInt64 { failures.values.reduce(0) { $0 + $1.latency.count } }

    /// Answers per second.
    var rate: Double { length > .zero ? Double(answered) / (length / .seconds(1)) : 0 }

    mutating func answeredInTime() { answered += 1 }

    /// A call that was due in the window has ended.
    mutating func add(_ outcome: CallOutcome, due: MonotonicTime, sent: MonotonicTime, end: MonotonicTime) {
        add(waited: end.nanoseconds(since: due), due: due)
        uncorrected.record(end.nanoseconds(since: sent))
        switch outcome {
        case .answered(let count, let branches):
            if let count { things.add(count) }
            for branch in branches { add(branch) }
            if outcome.isIncomplete { incomplete += 1 }
        case .failed(let code, let message):
            failures[code, default: Failures(message: message)].latency.record(end.nanoseconds(since: due))
        }
    }

    private mutating func add(_ branch: BranchOutcome) {
        let index = branches.firstIndex { $0.name == branch.name } ?? branches.count
        if index == branches.count { branches.append(BranchTally(name: branch.name)) }
        branches[index].add(branch)
    }

    mutating func addCutOff(due: MonotonicTime, sent: MonotonicTime, end: MonotonicTime) {
        add(waited: end.nanoseconds(since: due), due: due)
        uncorrected.record(end.nanoseconds(since: sent))
        cutOff += 1
    }

    mutating func addUnsent(due: MonotonicTime, end: MonotonicTime) {
        add(waited: end.nanoseconds(since: due), due: due)
        unsent += 1
    }

    mutating func add(lag nanoseconds: UInt64) { lag.record(nanoseconds) }

    private mutating func add(waited nanoseconds: UInt64, due: MonotonicTime) {
        latency.record(nanoseconds)
        slices.add(nanoseconds, due: due)
    }
}

/// How a call of a load ended.
package enum CallOutcome: Sendable, Equatable {
    /// With an answer. `things` is how many items it contains, when that was examined; `branches` how each of them
    /// went, when it has any.
    case answered(things: Int?, branches: [BranchOutcome] = [])
    case failed(RPCCode, message: String)

    /// Whether it is an answer that lacks a branch.
    var isIncomplete: Bool {
        guard case .answered(_, let branches) = self else { return false }
        return branches.contains { $0.code != .ok }
    }
}
