import RPC

extension PeerError {
    /// What a status means to whoever asked: these may be another one next time.
    init(_ error: RPCError) {
        switch error.code {
        case .unavailable, .deadlineExceeded, .resourceExhausted, .cancelled: self = .unreachable(error.message)
        default: self = .refused(error.message)
        }
    }

    static func converting<Value: Sendable>(_ body: () async throws -> Value) async throws(PeerError) -> Value {
        do {
            return try await body()
        } catch {
            throw PeerError(RPCError(anyError: error))
        }
    }
}
