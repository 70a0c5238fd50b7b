import Glibc

/// Which rounds are run: from the environment, so that a run can be made longer, or again.
struct KillSettings {
    /// WAYMARK_KILL_SEED: decides all that is drawn. Another one each time when it is not set.
    let seed: UInt64
    /// WAYMARK_KILL_FIRST and WAYMARK_KILL_ROUNDS: from which round on (0), and how many (as many as there are cards).
    let rounds: Range<Int>

    init() {
        let first = Self.number("WAYMARK_KILL_FIRST").map(Int.init(clamping:)) ?? 0
        let count = Self.number("WAYMARK_KILL_ROUNDS").map(Int.init(clamping:)) ?? Deck.cards.count
        seed = Self.number("WAYMARK_KILL_SEED") ?? UInt64.random(in: 0..<1_000_000_000)
        rounds = first..<first + count
    }

    /// The rounds, in runs that begin where they would in a test of all rounds.
    var runs: [Range<Int>] {
        let start = rounds.lowerBound / KillRun.length * KillRun.length
        return stride(from: start, to: rounds.upperBound, by: KillRun.length).map {
            $0..<min($0 + KillRun.length, rounds.upperBound)
        }
    }

    /// Whether each combination is dealt at least once.
    var coversAll: Bool { rounds.count >= Deck.cards.count }

    private static func number(_ name: String) -> UInt64? {
        guard let text = getenv(name) else { return nil }
        guard let number = UInt64(String(cString: text)) else { preconditionFailure("\(name) is no whole number") }
        return number
    }
}
