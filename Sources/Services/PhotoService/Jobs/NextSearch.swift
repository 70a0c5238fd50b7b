import LiveNetworks

/// When the networks of an album are asked again that gave no answer.
enum NextSearch: Equatable, Sendable {
    /// All have answered, or asking again does not help.
    case none
    /// At once: one is still being asked, and the next search waits for the same answer.
    case atOnce
    /// After so many milliseconds.
    case after(Int64)

    /// How many searches wait for a network that is still being asked.
    static let maximumWaits = 3
    /// The first pause, twice as long after each further search, up to the longest.
    private static let firstPause: Int64 = 60_000
    private static let maximumDoublings = 4

    /// - Parameter tries: how many searches before this one were without an answer of all.
    init(after findings: [NetworkFinding], tries: Int) {
        let pauses = findings.compactMap { Self.pause($0, tries) }
        self = pauses.min().map { $0 == 0 ? .atOnce : .after($0) } ?? .none
    }

    /// In milliseconds; nil when it is asked no more.
    var pause: Int64? {
        switch self {
        case .none: nil
        case .atOnce: 0
        case .after(let pause): pause
        }
    }

    var answers: NetworkAnswers {
        switch self {
        case .none: .all
        case .atOnce: .awaited
        case .after: .lacking
        }
    }

    private static func pause(_ finding: NetworkFinding, _ tries: Int) -> Int64? {
        guard case .failed(let kind) = finding.status, kind.mayPass else { return nil }
        if kind == .timeout, tries < maximumWaits - 1 { return 0 }
        return max(growing(tries), finding.retryAfterMilliseconds ?? 0)
    }

    /// The pause after a failure that does not say how long.
    static func growing(_ tries: Int) -> Int64 { firstPause << min(tries, maximumDoublings) }
}
