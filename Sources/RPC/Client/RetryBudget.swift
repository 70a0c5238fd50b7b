/// Keeps retries from becoming a storm: each retry takes a token, each call that went well gives a tenth back.
package struct RetryBudget: Sendable {
    private let capacity: Double
    private var tokens: Double

    /// How much of a token a call that went well gives back.
    private static let refund = 0.1

    /// Starts full. `capacity` is how many retries in a row there may be.
    package init(capacity: Int) {
        self.capacity = Double(capacity)
        tokens = Double(capacity)
    }

    package mutating func callSucceeded() { tokens = min(capacity, tokens + Self.refund) }

    /// Whether one more retry may be made.
    package mutating func takeRetry() -> Bool {
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
