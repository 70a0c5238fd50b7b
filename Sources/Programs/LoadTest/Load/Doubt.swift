import EventLoops
import Terminal

/// Why the figures of a load say more about this program than about the target.
enum Doubt: Sendable, Equatable {
    /// The sending thread used this share of its core.
    case busy(share: Double)
    /// One call in a hundred was sent so many nanoseconds late or later, with no other cause than this program.
    case late(nanoseconds: UInt64)

    /// From this share on a thread has no core time left.
    static let busyShare = 0.95
    /// The lag that is always allowed, and the share of the p99.
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

    /// A text for the reader.
    var text: String {
        switch self {
        case .busy(let share):
            "This program used \(Quantity.fixed(share * 100, 0)) % of its core: it was the bottleneck, not the target."
        case .late(let nanoseconds):
            "One call in a hundred was sent \(Quantity.latency(nanoseconds)) late or more, by this program's fault."
        }
    }
}
