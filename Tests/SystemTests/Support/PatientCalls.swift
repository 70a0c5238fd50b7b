import EventLoops
import RPC

extension RunningSystem {
    /// How long a call is made again before that is a failure.
    private static let patience: Duration = .seconds(60)

    /// Makes a call again and again until it is answered, as a client does that has to know. `body` names its change in
    /// the request, so that making it again changes nothing more.
    func answered<Response: Sendable>(
        _ what: String, _ body: (CallOptions) async throws -> Response
    ) async throws -> Response {
        let end = MonotonicTime.now + Self.patience
        while true {
            do {
                return try await body(CallOptions(timeout: .seconds(15)))
            } catch let error as RPCError where error.isPassing {
                guard MonotonicTime.now < end else { throw RunFailure.late("\(what), last with \(error)") }
                try await supervision.pause(.milliseconds(100))
            }
        }
    }
}

extension RPCError {
    /// Whether a call that ended so may be answered when it is made again.
    var isPassing: Bool { [.unavailable, .deadlineExceeded, .cancelled].contains(code) }
}
