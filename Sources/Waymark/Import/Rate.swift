import Terminal

/// How fast something goes, and what that means for the rest.
struct Rate {
    let done: UInt64
    let total: UInt64
    let elapsed: Duration

    private var fraction: Double { total > 0 ? Double(done) / Double(total) : 0 }

    /// "████░░░░  41 %"
    var bar: String { "\(ProgressLine.bar(fraction))  \(Quantity.fixed(fraction * 100, 0)) %" }

    /// ", 48.2 MB/s"; empty before it can be told.
    var speed: String {
        guard (0..<1).contains(fraction), elapsed > .milliseconds(500) else { return "" }
        return ", \(Quantity.bytes(UInt64(Double(done) / (elapsed / .seconds(1)))))/s"
    }

    /// ", 12 s left"; empty before it can be told.
    var timeLeft: String {
        guard (0.01..<1).contains(fraction), elapsed > .milliseconds(500) else { return "" }
        let seconds = (elapsed * (1 / fraction - 1)).components.seconds + 1
        return ", \(seconds < 60 ? "\(seconds) s" : Quantity.duration(.seconds(seconds))) left"
    }
}
