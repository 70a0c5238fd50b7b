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
    /// How often it was refused, not counting the times that nobody answered.
    var refusals: Int64 = 0

    /// Whether nothing more comes of it.
    var hasEnded: Bool { state == .done || state == .failed }
}
