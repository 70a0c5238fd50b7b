package import RPC
package import Storage
import Wire

/// Why a service's store failed or refused.
package struct StoreError: Error {
    package let cause: SQLError
    /// The name of what the store keeps, for error messages: "pins".
    package let content: String

    package init(_ cause: SQLError, content: String) {
        self.cause = cause
        self.content = content
    }

    /// Runs `body` on the store that keeps `content`, and converts its error.
    package static func converting<Value>(
        _ content: String, _ body: () async throws(SQLError) -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await body()
        } catch {
            throw StoreError(error, content: content)
        }
    }
}

extension StoreError: RPCErrorConvertible {
    /// The messages leave out paths and the engine's own text; those are for the log.
    package var rpcError: RPCError {
        switch cause.code {
        case .busy:
            RPCError(
                .resourceExhausted, "too many calls wait for the stored \(content); try again later",
                details: StatusDetails(retryAfterMs: 100), cause: cause)
        case .full:
            RPCError(
                .resourceExhausted,
                "the disk or the size allowed for \(content) is full; nothing was changed, reading still works",
                cause: cause)
        case .closed: unavailable("the service is stopping; try again")
        case .away:
            RPCError(
                .unavailable, "the database with the \(content) does not answer; try again later",
                details: StatusDetails(retryAfterMs: 1_000), cause: cause)
        case .refused: unavailable("the database with the \(content) refuses the service; see its log")
        case .conflict:
            RPCError(
                .unavailable, "the stored \(content) are being changed by others; try again",
                details: StatusDetails(retryAfterMs: 100), cause: cause)
        case .locked: unavailable("another process has locked the stored \(content); try again later")
        case .io, .readOnly, .cannotOpen:
            unavailable("the disk with the \(content) fails; see the service's log")
        case .deadlineExceeded:
            RPCError(.deadlineExceeded, "the stored \(content) took longer than the caller waits", cause: cause)
        case .cancelled: RPCError(.cancelled, "the call was cancelled", cause: cause)
        case .corrupt, .notADatabase:
            RPCError(.dataLoss, "stored \(content) are damaged; see the service's log", cause: cause)
        case .constraint, .wrongType, .misuse, .migration, .outOfMemory:
            RPCError(.internalError, "the stored \(content) can't be used; see the service's log", cause: cause)
        }
    }

    private func unavailable(_ sentence: String) -> RPCError { RPCError(.unavailable, sentence, cause: cause) }
}
