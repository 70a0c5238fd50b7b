import Terminal

/// How far a load is.
struct LoadProgress: Sendable {
    /// 0...1, warm-up included.
    let fraction: Double
    let isWarmingUp: Bool
    let answered: UInt64
    let failed: UInt64
    /// Nanoseconds.
    let p99: UInt64

    /// "████░░░░  12,345 answered, 0 failed, p99 1.2 ms"
    var text: String {
        let bar = ProgressLine.bar(fraction)
        if isWarmingUp { return "\(bar)  warming up" }
        return
            "\(bar)  \(Quantity.count(answered)) answered, \(Quantity.count(failed)) failed, p99 \(Quantity.latency(p99))"
    }
}
