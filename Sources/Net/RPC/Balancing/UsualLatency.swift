import Glibc

/// How long a method usually takes: the time in which 95 of 100 calls have their answer.
///
/// Calls are counted by their logarithms, four steps an octave; all counts are halved whenever there are many, so that
/// older calls count less.
package struct UsualLatency: Sendable {
    private static let stepsPerOctave = 4.0
    private static let steps = 160
    /// Fewer calls say nothing.
    private static let fewest = 20
    private static let many = 2_000
    private static let share = 0.95

    private var counts = [UInt32](repeating: 0, count: steps)
    private var total: UInt32 = 0

    package init() {}

    /// A call took so many nanoseconds.
    package mutating func add(_ nanoseconds: UInt64) {
        let step = Int(log2(Double(max(nanoseconds, 1))) * Self.stepsPerOctave)
        counts[min(step, Self.steps - 1)] += 1
        total += 1
        guard total >= Self.many else { return }
        for index in counts.indices { counts[index] /= 2 }
        total = counts.reduce(0, +)
    }

    /// At most a fifth more than it is; nil when too few calls are known.
    package var duration: Duration? {
        guard total >= Self.fewest else { return nil }
        var rest = UInt32((Double(total) * Self.share).rounded(.up))
        for (step, count) in counts.enumerated() {
            guard count < rest else { return .nanoseconds(Int64(exp2(Double(step + 1) / Self.stepsPerOctave))) }
            rest -= count
        }
        return nil
    }
}
