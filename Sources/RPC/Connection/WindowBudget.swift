/// Divides the memory that a connection has for received streams among them.
///
/// Each stream has its own window, so that a stream that is not read holds up no other. Together they stay below
/// `total`: the more streams are open, the smaller a new one's window, down to `least`, which each is guaranteed.
package struct WindowBudget: Sendable, Equatable {
    /// Bytes for all streams of the connection.
    package let total: Int
    /// Bytes of a stream when few are open.
    package let most: Int
    /// Bytes that every stream has.
    package let least: Int
    /// The sum of all open windows, in bytes.
    package private(set) var given = 0

    /// A stream gets at most this share of what is left.
    private static let share = 8
    private static let leastBytes = 16 << 10

    package init(_ limits: Limits) {
        total = limits.connectionCredit
        most = limits.streamCredit
        least = min(Self.leastBytes, limits.streamCredit)
    }

    /// The window of a new stream, in bytes.
    package mutating func open() -> Int {
        let window = min(most, max(least, (total - given) / Self.share))
        given += window
        return window
    }

    /// A stream is over.
    package mutating func close(_ window: Int) { given -= window }
}
