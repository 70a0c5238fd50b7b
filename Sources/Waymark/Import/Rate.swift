/// How fast something goes, and what that means for the rest.
struct Rate {
    let done: UInt64
    let total: UInt64
    let elapsed: Duration

    private var fraction: Double { total > 0 ? Double(done) / Double(total) : 0 }

    /// "████░░░░  41 %"
    var bar: String { "\(ProgressLine.bar(fraction))  \(Quantity.fixed(fraction * 100, 0)) %" }

    /// ", 12 s left"; empty before it can be told.
    var timeLeft: String {
        guard (0.01..<1).contains(fraction), elapsed > .milliseconds(500) else { return "" }
        let seconds = (elapsed * (1 / fraction - 1)).components.seconds + 1
        return ", \(seconds < 60 ? "\(seconds) s" : Quantity.duration(.seconds(seconds))) left"
    }
}
