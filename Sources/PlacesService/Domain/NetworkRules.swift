/// What a live network may be asked for.
struct NetworkRules: Equatable, Sendable {
    /// Requests a second, in the long run.
    var perSecond: Double
    /// How many may go at once after a pause.
    var burst = 2
    /// Requests a day, from midnight UTC.
    var perDay: Int
    /// Requests that wait for an answer at the same time.
    var atOnce = 2
    /// Requests that one search may take.
    var perSearch = 64
    /// How long an answer is good, in milliseconds.
    var expiryMilliseconds: Int64 = 24 * 3_600_000

    /// Failures behind each other after which a network is left alone.
    static let mostFailures: Int64 = 5
    /// For how long at first; twice as long after each further failure, up to the longest.
    static let firstPauseMilliseconds: Int64 = 30_000
    static let longestPauseMilliseconds: Int64 = 600_000
    /// How long a network is left alone that refuses without saying for how long.
    static let usualRefusalMilliseconds: Int64 = 60_000
    /// The longest time that a network can ask to be left alone.
    static let longestClosedMilliseconds: Int64 = 86_400_000
    /// How long a request waits for its turn; what would wait longer is refused.
    static let longestWaitMilliseconds: Int64 = 10_000

    /// The interval between two requests in microseconds.
    var intervalMicroseconds: Int64 { max(1, Int64(1_000_000 / max(perSecond, 0.000_1))) }
}
