/// Why one attempt of a call failed, and whether the server may have worked on it.
struct AttemptFailure: Error {
    let error: RPCError
    /// The server certainly did not start it: any method may be tried again.
    let wasNotStarted: Bool
    /// The connection filled up with calls between being found and being used: another one is to be tried.
    let isFull: Bool

    init(_ error: RPCError, wasNotStarted: Bool = false, isFull: Bool = false) {
        self.error = error
        self.wasNotStarted = wasNotStarted
        self.isFull = isFull
    }
}
