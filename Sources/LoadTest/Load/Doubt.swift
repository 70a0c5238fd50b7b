import EventLoops
import Terminal

/// Why figures of a load say more of this program than of the target.
enum Doubt: Sendable, Equatable {
    /// The sending thread used so much of its core.
    case busy(share: Double)
    /// One call in a hundred was sent so many nanoseconds late or later, with nothing else to hold it up.
    case late(nanoseconds: UInt64)

    /// A thread that is this busy has no core left.
    static let busyShare = 0.95
    /// What is always allowed, and what share of the p99 is.
    static let allowedLag: UInt64 = 1_000_000
    static let allowedShare: UInt64 = 10

    static func of(_ plan: LoadPlan, _ tally: LoadTally) -> [Doubt] {
        var doubts: [Doubt] = []
        let share = Self.share(tally)
        if share >= busyShare { doubts.append(.busy(share: share)) }
        let lag = tally.lag.percentile(0.99)
        if lag > max(allowedLag, tally.latency.percentile(0.99) / allowedShare) {
            doubts.append(.late(nanoseconds: lag))
        }
        return doubts
    }

    /// How much of one core the sending thread has used.
    static func share(_ tally: LoadTally) -> Double {
        tally.length > .zero ? tally.processor.total / (tally.length / .seconds(1)) : 0
    }

    /// A sentence for the reader.
    var text: String {
        switch self {
        case .busy(let share):
            "This program used \(Quantity.fixed(share * 100, 0)) % of its core: it was the bottleneck, not the target."
        case .late(let nanoseconds):
            "One call in a hundred was sent \(Quantity.latency(nanoseconds)) late or more, by this program's fault."
        }
    }
}
