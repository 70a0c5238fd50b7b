/// What answers do to the state of a pin. Generations are compared so that a late answer to an earlier search changes
/// nothing.
struct PinProgress: Equatable, Sendable {
    let state: PinState
    /// The generation that the pin is in.
    let generation: Int64

    init(_ pin: Pin) {
        state = pin.state
        generation = pin.generation
    }

    init(state: PinState, generation: Int64) {
        self.state = state
        self.generation = generation
    }

    /// After a network has given `places` places for the generation `asked`: the first of them make a NEW pin PARTIAL.
    func afterLinking(places: Int, asked: Int64) -> PinState {
        state == .new && places > 0 && asked == generation ? .partial : state
    }

    /// After a search has ended or the photos have become known up to `albumGeneration`.
    func after(_ searches: [NetworkSearch], albumGeneration: Int64) -> PinState {
        guard state == .new || state == .partial, haveEnded(searches) else { return state }
        if ofThisGeneration(searches).allSatisfy({ $0.state == .failed }) { return .failed }
        return albumGeneration >= generation ? .ready : state
    }

    /// Whether every network that is asked for this generation has answered, or failed.
    func haveEnded(_ searches: [NetworkSearch]) -> Bool {
        let current = ofThisGeneration(searches)
        return !current.isEmpty && current.allSatisfy(\.hasEnded)
    }

    private func ofThisGeneration(_ searches: [NetworkSearch]) -> [NetworkSearch] {
        searches.filter { $0.generation == generation }
    }
}
