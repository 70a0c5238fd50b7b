/// Why a network gave no answer, or not all of it.
struct NetworkFault: Error, Equatable, CustomStringConvertible {
    enum Kind: CaseIterable, Sendable {
        /// The service that asks it can't be reached.
        case away
        /// That service had no time, or too much to do.
        case busy
        /// The network has not answered in time. Its answer may be on its way.
        case timeout
        /// It gives no more answers for now, or may be sent no more questions.
        case quota
        /// It can't be reached, or says that it can't answer.
        case unavailable
        /// It does not accept the key.
        case auth
        /// Its answer can't be understood.
        case malformed
        /// The service that asks it refuses the question.
        case refused

        /// Whether it may be a moment's: a pin waits for a few of them.
        var isLate: Bool { [.away, .busy, .timeout].contains(self) }
        /// Whether asking again will hardly help until an operator has mended it.
        var isLasting: Bool { [.auth, .malformed, .refused].contains(self) }
    }

    /// The first wait before a network that failed is asked again; twice as long after each further failure, up to the
    /// longest. A service that is away is asked at the pace of its jobs: many wait for it.
    static let firstPause: Duration = .seconds(2)
    static let maximumDoublings = 9
    static let longestPause: Duration = .seconds(900)
    /// The longest that a network may ask to be left alone.
    static let longestOwnPause: Duration = .seconds(86_400)

    let kind: Kind
    /// In words for people.
    let reason: String
    /// How long it asks to be left alone; nil when it does not say.
    var ownPause: Duration?

    init(_ kind: Kind, _ reason: String, ownPause: Duration? = nil) {
        self.kind = kind
        self.reason = reason
        self.ownPause = ownPause
    }

    /// The places service could not ask it.
    init(_ error: PeerError) {
        let kind: Kind =
            switch error {
            case .unreachable: .away
            case .late: .busy
            case .refused: .refused
            }
        self.init(kind, error.words(of: "places service"))
    }

    var description: String { reason }

    /// How long to wait before asking again, after so many failures before this one.
    func pause(after failures: Int) -> Duration {
        if kind == .away || kind == .busy { return .zero }
        let growing = min(Self.firstPause * (1 << min(max(failures, 0), Self.maximumDoublings)), Self.longestPause)
        return max(growing, min(ownPause ?? .zero, Self.longestOwnPause))
    }
}
