/// How the latest search of one network goes for a pin.
struct NetworkSearch: Equatable, Sendable {
    /// How far it is. The numbers are kept in the database: one that was used never changes its meaning.
    enum State: Int64, Sendable, CaseIterable {
        /// It is being asked.
        case searching = 1
        /// It could not be reached and will be asked again.
        case retrying = 2
        /// It has answered.
        case done = 3
        /// It failed for good.
        case failed = 4
    }

    let network: String
    /// The pin's generation that it searches for.
    let generation: Int64
    var state = State.searching
    /// How many places it gave.
    var placeCount: Int64 = 0
    /// Whether there are more places within the radius than a pin links.
    var isTruncated = false
    /// Empty when all is well.
    var warning = ""
    /// How often it was refused, not counting the times without an answer.
    var refusals: Int64 = 0

    /// Whether nothing more comes of it.
    var hasEnded: Bool { state == .done || state == .failed }
}

/// What a network's answer does to its search.
extension NetworkSearch {
    /// How often a network may refuse before its search has failed.
    static let mostRefusals: Int64 = 5
    /// A network that wants to be left alone for longer has failed: no one should wait hours for the rest of a pin. The
    /// places service itself leaves one that fails alone for no longer than this.
    static let longestPause: Duration = .seconds(600)

    /// The search as it begins for a generation.
    init(network: String, generation: Int64) {
        self.network = network
        self.generation = generation
    }

    /// All places are linked, or, when it is cut off, the nearest ones.
    func done(placeCount: Int64, isTruncated: Bool = false, warning: String = "") -> NetworkSearch {
        var search = self
        search.state = .done
        search.placeCount = placeCount
        search.isTruncated = isTruncated
        search.warning = warning
        return search
    }

    /// It could not be asked, or refused; nil when that changes nothing any more.
    func failed(_ error: PeerError, asked: Int64) -> NetworkSearch? {
        guard asked == generation, !hasEnded else { return nil }
        var search = self
        switch error {
        case .unreachable(let reason):
            search.state = .retrying
            search.warning = "the \(network) can't be reached and is asked again: \(reason)"
        case .busy(let reason, _) where error.pause > Self.longestPause:
            search.state = .failed
            search.warning = "the \(network) gives nothing for now: \(reason)"
        case .busy(let reason, _):
            search.state = .retrying
            search.warning = "the \(network) gives nothing for now and is asked again: \(reason)"
        case .refused(let reason):
            search.refusals += 1
            search.state = search.refusals < Self.mostRefusals ? .retrying : .failed
            search.warning = "the \(network) refuses the search: \(reason)"
        }
        return search
    }
}
