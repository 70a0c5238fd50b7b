/// Why one attempt of a call failed, and whether the server may have worked on it.
struct AttemptFailure: Error {
    let error: RPCError
    /// The server certainly did not start it: any method may be tried again.
    let wasNotStarted: Bool
    /// The connection reached its limit of calls between being found and being used: another one is to be tried.
    let isFull: Bool
    /// Why there was no connection to send it on; nil when there was one.
    let obstacle: Obstacle?

    enum Obstacle {
        /// No address can be reached now.
        case unreachable
        /// Trying again soon would not help: the client is closed, or the name has no address.
        case lasting
    }

    init(_ error: RPCError, wasNotStarted: Bool = false, isFull: Bool = false) {
        self.error = error
        self.wasNotStarted = wasNotStarted
        self.isFull = isFull
        obstacle = nil
    }

    /// The call was not sent.
    init(_ obstacle: Obstacle, _ message: String) {
        error = RPCError(.unavailable, message)
        wasNotStarted = true
        isFull = false
        self.obstacle = obstacle
    }

    /// What the failure says about the address that the call was sent to.
    var outcome: Balancer.Outcome {
        if wasNotStarted { return .notStarted }
        switch error.code {
        case .unavailable: return .failed
        case .resourceExhausted: return .refused
        case .deadlineExceeded: return .late
        case .cancelled: return .cancelled
        default: return .answered
        }
    }
}
