/// What came of asking a live network for the places of a circle.
struct NetworkFinding: Equatable, Sendable {
    enum Status: Equatable, Sendable {
        /// All that the network has is known, and there is something.
        case found
        /// All is known, and there is nothing.
        case empty
        /// There is more than could be asked for.
        case truncated
        case failed(AskFailure.Kind)
        /// The network is not configured.
        case disabled
    }

    let network: Network
    var status: Status
    /// Places of the network that are stored within the circle.
    var placeCount = 0
    /// Requests that were made for this.
    var requestCount = 0
    var retryAfterMilliseconds: Int64?
    /// What a person should know; empty when all is well.
    var message = ""
}
