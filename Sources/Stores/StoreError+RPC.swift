package import RPC
import Storage
import Wire

extension StoreError: RPCErrorConvertible {
    /// The sentences leave out paths and the engine's words; those are for the log.
    package var rpcError: RPCError {
        switch cause.code {
        case .busy:
            RPCError(
                .resourceExhausted, "too many calls wait for the stored \(content); try again later",
                details: StatusDetails(retryAfterMs: 100), cause: cause)
        case .full:
            RPCError(
                .resourceExhausted,
                "the disk or the size allowed for \(content) is full; nothing was changed, reading goes on",
                cause: cause)
        case .closed: unavailable("the service is stopping; try again")
        case .locked: unavailable("another process holds the stored \(content); try again later")
        case .io, .readOnly, .cannotOpen:
            unavailable("the disk with the \(content) fails; the service's log tells more")
        case .deadlineExceeded:
            RPCError(.deadlineExceeded, "the stored \(content) took longer than the caller waits", cause: cause)
        case .cancelled: RPCError(.cancelled, "the call was cancelled", cause: cause)
        case .corrupt, .notADatabase:
            RPCError(.dataLoss, "stored \(content) are damaged; the service's log tells more", cause: cause)
        case .constraint, .wrongType, .misuse, .migration, .outOfMemory:
            RPCError(.internalError, "the stored \(content) can't be used; the service's log tells more", cause: cause)
        }
    }

    private func unavailable(_ sentence: String) -> RPCError { RPCError(.unavailable, sentence, cause: cause) }
}
