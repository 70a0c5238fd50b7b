import RPC

/// How a call of a load ended.
enum CallOutcome: Sendable, Equatable {
    /// With an answer. `things` is how many things are in it, when that was looked at.
    case answered(things: Int?)
    case failed(RPCCode, message: String)
}
