/// Why one attempt of a call failed, and whether the server may have worked on it.
struct AttemptFailure: Error {
    let error: RPCError
    /// The server certainly did not start it: any method may be tried again.
    let wasNotStarted: Bool

    init(_ error: RPCError, wasNotStarted: Bool = false) {
        self.error = error
        self.wasNotStarted = wasNotStarted
    }
}
