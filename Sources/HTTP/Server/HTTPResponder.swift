/// Answers requests.
package protocol HTTPResponder: Sendable {
    /// The answer to a whole request. Its task is cancelled when the server stops.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

/// What clients may cost.
package struct HTTPLimits: Sendable {
    /// Bytes of a request's body.
    package var bodyBytes = 6 << 20
    /// Bytes of all bodies that are held at once.
    package var allBodyBytes = 256 << 20
    /// Bytes of a request's line and headers, and of what is read at once.
    package var headBytes = 16 << 10
    package var connections = 10_000
    /// How long a request may take to arrive, besides the time that its body needs at `slowestRate`; also how long a
    /// connection may idle between two requests, and how long a stream's reader may take nothing.
    package var patience: Duration = .seconds(60)
    /// Bytes a second that a body has to move in either direction.
    package var slowestRate = 8 << 10
    /// Bytes of a stream that wait for its reader.
    package var streamBytes = 256 << 10

    package init() {}
}
