/// The state of the latest search of one network for a pin.
struct NetworkSearch: Equatable, Sendable {
    /// Its progress. The numbers are stored in the database: one that was used never changes its meaning.
    enum State: Int64, Sendable, CaseIterable {
        /// The network is being asked.
        case searching = 1
        /// The network could not be reached and will be asked again.
        case retrying = 2
        /// The network has answered.
        case done = 3
        /// It failed for good.
        case failed = 4
    }

    let network: String
    /// The pin's generation that it searches for.
    let generation: Int64
    var state = State.searching
    /// How many places it returned.
    var placeCount: Int64 = 0
    /// Whether the radius contains more places than a pin links.
    var isTruncated = false
    /// Empty when there is none.
    var warning = ""
    /// How often the network refused, not counting attempts without an answer.
    var refusals: Int64 = 0

    /// Whether its result is final.
    var hasEnded: Bool { state == .done || state == .failed }
}

/// How a network's answer changes its search.
extension NetworkSearch {
    /// How often a network may refuse before its search has failed.
    static let mostRefusals: Int64 = 5
    /// A network that asks for a longer pause has failed: no one should wait hours for the rest of a pin. The places
    /// service itself pauses a failing network for no longer than this.
    static let longestPause: Duration = .seconds(600)

    /// The initial state of the search for a generation.
    init(network: String, generation: Int64) {
        self.network = network
        self.generation = generation
    }

    /// All places are linked, or, when it is truncated, the nearest ones.
    func done(placeCount: Int64, isTruncated: Bool = false, warning: String = "") -> NetworkSearch {
        var search = self
        search.state = .done
        search.placeCount = placeCount
        search.isTruncated = isTruncated
        search.warning = warning
        return search
    }

    /// The network could not be asked, or refused; nil when that no longer changes anything.
    func failed(_ error: PeerError, asked: Int64) -> NetworkSearch? {
        guard asked == generation, !hasEnded else { return nil }
        var search = self
        switch error {
        case .unreachable(let reason), .late(let reason):
            search.state = .retrying
            search.warning = "the \(network) can't be reached and will be retried: \(reason)"
        case .busy(let reason, _) where error.pause > Self.longestPause:
            search.state = .failed
            search.warning = "the \(network) refuses requests for now: \(reason)"
        case .busy(let reason, _):
            search.state = .retrying
            search.warning = "the \(network) refuses requests for now and will be retried: \(reason)"
        case .refused(let reason):
            search.refusals += 1
            search.state = search.refusals < Self.mostRefusals ? .retrying : .failed
            search.warning = "the \(network) refuses the search: \(reason)"
        }
        return search
    }
}
