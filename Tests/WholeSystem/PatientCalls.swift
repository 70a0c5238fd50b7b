import EventLoops
package import RPC

extension SystemUnderTest {
    /// How long a call is made again before that is a failure.
    private static var patienceOfCall: Duration { .seconds(60) }

    private static var timeout: Duration { .seconds(15) }

    /// Makes a call again and again until it is answered, as a client does that has to know. `body` names its change in
    /// the request, so that making it again changes nothing more.
    package func answered<Response: Sendable>(
        _ what: String, _ body: (CallOptions) async throws -> Response
    ) async throws -> Response {
        let end = MonotonicTime.now + Self.patienceOfCall
        while true {
            let begun = MonotonicTime.now
            do {
                defer { took(what, .nanoseconds(MonotonicTime.now.nanoseconds(since: begun)), of: Self.timeout) }
                return try await body(CallOptions(deadline: .now + Self.timeout, token: token))
            } catch let error as RPCError where isPassing(error) {
                guard MonotonicTime.now < end else { throw RunFailure.late("\(what), last with \(error)") }
                try await pause(.milliseconds(100))
            }
        }
    }
}

extension RPCError {
    /// Whether a call that ended so may be answered when it is made again.
    package var isPassing: Bool { [.unavailable, .deadlineExceeded, .cancelled].contains(code) }
}
