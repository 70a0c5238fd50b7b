package import RPC

/// A system of all four services that is asked through its gateway, as a test judges it: what people change in it, what
/// was acknowledged, and what has to be true of it afterwards.
package protocol SystemUnderTest: Sendable {
    var client: RPCClient { get }
    /// Of the account that calls; empty for the profile that is there without one.
    var token: String { get }
    /// How long everything may take to become final after changes.
    static var patience: Duration { get }
    /// Waits between two tries of a call, for `most` at the longest. Throws when the task is cancelled, so that nothing
    /// is tried for ever.
    func pause(_ most: Duration) async throws
    /// Whether a call that ended so may be answered when it is made again.
    func isPassing(_ error: RPCError) -> Bool
    /// A call was answered, or failed, so long after it was made.
    func took(_ what: String, _ time: Duration, of timeout: Duration)
}

extension SystemUnderTest {
    package func took(_ what: String, _ time: Duration, of timeout: Duration) {}
    package func isPassing(_ error: RPCError) -> Bool { error.isPassing }

    package var token: String { "" }
    package static var patience: Duration { .seconds(90) }

    /// Of a call that goes on as long as it is read.
    package var endless: CallOptions { CallOptions(token: token) }
}
