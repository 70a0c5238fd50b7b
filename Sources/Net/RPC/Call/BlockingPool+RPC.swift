package import EventLoops
import Wire

/// The refusal of a caller for whom too much waits for a thread already.
extension BlockingPool.Refusal: RPCErrorConvertible {
    package var rpcError: RPCError {
        switch self {
        case .full:
            RPCError(
                .resourceExhausted, "you have too much of this waiting already, or too many others have; try again",
                details: StatusDetails(retryAfterMs: 1_000))
        case .closed: RPCError(.unavailable, "the service is shutting down")
        }
    }
}
