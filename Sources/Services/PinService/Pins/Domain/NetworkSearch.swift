/// The state of the latest search of one network for a pin.
struct NetworkSearch: Equatable, Sendable {
    /// Its progress. The numbers are stored in the database: one that was used never changes its meaning.
    enum State: Int64, Sendable, CaseIterable {
        /// The network is being asked, and the pin waits for it.
        case searching = 1
        /// The network failed, and is asked again behind the pin, which does not wait for it.
        case retrying = 2
        /// The network has answered.
        case done = 3
        /// It failed for good.
        case failed = 4
        /// The network was switched off meanwhile: it is neither asked nor missed.
        case disabled = 5
    }

    let network: String
    /// The pin's generation that it searches for.
    let generation: Int64
    var state = State.searching
    /// How many of its places are linked.
    var placeCount: Int64 = 0
    /// Whether the radius contains more places than a pin links.
    var isTruncated = false
    /// Empty when there is none.
    var warning = ""
    /// How often it failed in a way that asking again hardly helps.
    var refusals: Int64 = 0
    /// How often it was late while the pin waited.
    var lates: Int64 = 0

    /// Whether the pin waits for it.
    var isAwaited: Bool { state == .searching }

    /// Whether its result is final: it is not asked again before the pin moves, or is to be searched again.
    var hasEnded: Bool { state == .done || state == .failed || state == .disabled }

    /// Whether it has said what there is. A catalog without anything there has not: that was never
    /// imported.
    var hasAnswered: Bool { state == .done && (placeCount > 0 || PlaceNetwork.live(network) != nil) }

    /// Whether it failed, for now or for good.
    var hasFailed: Bool { state == .retrying || state == .failed }
}

/// How a network's answer changes its search.
extension NetworkSearch {
    /// How often a network may refuse before its search has failed.
    static let maximumRefusals: Int64 = 5
    /// How often it may be late before the pin waits no longer.
    static let maximumLates: Int64 = 3

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

    /// The network is not asked any more; what it gave stays.
    func disabled(_ warning: String) -> NetworkSearch {
        var search = self
        search.state = .disabled
        search.warning = warning
        return search
    }

    /// It failed, for now or for good; nil when that no longer changes anything.
    /// - Parameter placeCount: how many of its places were linked all the same.
    func failed(_ fault: NetworkFault, asked: Int64, placeCount: Int = 0) -> NetworkSearch? {
        guard asked == generation, !hasEnded else { return nil }
        var search = self
        search.placeCount = max(self.placeCount, Int64(placeCount))
        if fault.kind.isLasting { search.refusals += 1 }
        if fault.kind.isLate, isAwaited { search.lates += 1 }
        search.state = search.state(after: fault)
        search.warning = search.state == .retrying ? "\(fault.reason); it is asked again" : fault.reason
        return search
    }

    /// The service that would ask it was found to be away, by the search of another pin; nil when the pin does not wait
    /// for it.
    func foundAway(_ fault: NetworkFault) -> NetworkSearch? {
        guard isAwaited else { return nil }
        var search = self
        search.lates = Self.maximumLates
        return search.failed(fault, asked: generation)
    }

    private func state(after fault: NetworkFault) -> State {
        if fault.kind.isLasting, refusals >= Self.maximumRefusals { return .failed }
        return isAwaited && fault.kind.isLate && lates < Self.maximumLates ? .searching : .retrying
    }
}
