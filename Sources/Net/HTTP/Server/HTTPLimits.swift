import Budgets

/// What clients may cost.
package struct HTTPLimits: Sendable {
    /// Bytes of a request's body.
    package var bodyBytes = 6 << 20
    /// Bytes of a request's body from a client that has not proved who it is.
    package var strangersBodyBytes = 64 << 10
    /// Bytes of a request's line and headers, and of what is read at once.
    package var headBytes = 16 << 10
    /// Connections of all clients; one client gets at most as many as remain free.
    package var connections = 10_000
    /// A body that has taken this long, at less than `evictedRate` bytes a second, is ended when there is no memory for
    /// the bodies of other requests.
    package var evictedAfter: Duration = .seconds(5)
    package var evictedRate = 64 << 10
    /// How long a request may take to arrive, besides the time that its body needs at `slowestRate`; also how long a
    /// connection may idle between two requests, and how long a stream's reader may take nothing.
    package var patience: Duration = .seconds(60)
    /// How long an answer may take before the server checks that its client is still there: checking costs system
    /// calls, and most answers come sooner.
    package var unwatched: Duration = .milliseconds(100)
    /// Bytes a second that a body has to move in either direction.
    package var slowestRate = 8 << 10
    /// Bytes of a stream that are queued for its reader.
    package var streamBytes = 256 << 10

    package init() {}
}

extension HTTPLimits {
    /// How long the body of a request may be.
    func body(of work: any HTTPWork) -> HTTPBodyLimit {
        let most = work.standing == .stranger ? min(bodyBytes, strangersBodyBytes) : bodyBytes
        if let own = work.bodyLimit, own.bytes <= most { return own }
        return HTTPBodyLimit(most)
    }
}
