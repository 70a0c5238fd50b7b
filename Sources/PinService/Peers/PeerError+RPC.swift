import RPC

extension PeerError {
    /// What a status of `service` means to whoever asked: these may be another one next time.
    init(_ error: RPCError, of service: String) {
        let reason = InsideAddress.replaced(in: error.message, by: "the \(service)")
        switch error.code {
        case .unavailable, .deadlineExceeded, .resourceExhausted, .cancelled: self = .unreachable(reason)
        default: self = .refused(reason)
        }
    }

    static func converting<Value: Sendable>(
        _ service: String, _ body: () async throws -> Value
    ) async throws(PeerError) -> Value {
        do {
            return try await body()
        } catch {
            throw PeerError(RPCError(anyError: error), of: service)
        }
    }
}
