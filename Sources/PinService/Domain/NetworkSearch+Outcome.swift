/// What a network's answer does to its search.
extension NetworkSearch {
    /// How often a network may refuse before its search has failed.
    static let mostRefusals: Int64 = 5
    /// A network that wants to be left alone for longer has failed: nobody should wait hours for the rest of a pin. The
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
