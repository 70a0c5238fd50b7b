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
    /// How many searches find an answer that can't be understood before that is taken for the network's own. Until then
    /// it may be of what is between us and it: the page of a proxy, a login, or half an answer.
    private static let maximumMalformed = 6

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
        guard case .failed(let kind) = finding.status else { return nil }
        if kind == .timeout, tries < maximumWaits - 1 { return 0 }
        return pause(after: kind, tries, asked: finding.retryAfterMilliseconds)
    }

    /// The pause after a failure, in milliseconds; nil when asking again does not help.
    /// - Parameters:
    ///   - tries: how many searches before were without an answer of all.
    ///   - pause: how long the network asks to be left alone.
    static func pause(after kind: AskFailure.Kind, _ tries: Int, asked pause: Int64?) -> Int64? {
        guard kind.mayPass, kind != .malformed || tries < maximumMalformed - 1 else { return nil }
        return max(growing(tries), pause ?? 0)
    }

    /// The pause after a failure that does not say how long.
    private static func growing(_ tries: Int) -> Int64 { firstPause << min(tries, maximumDoublings) }
}
