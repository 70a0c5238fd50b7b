package import Budgets

/// Answers requests.
package protocol HTTPResponder: Sendable {
    /// The answer to a whole request. Its task is cancelled when the server stops, and when the client has gone.
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// How long the answer may take when it does not come at once: then its task is cancelled. Nil: as long as the
    /// client waits.
    func timeLimit(of request: HTTPRequest) -> Duration?
    /// The client of a request whose head has arrived, and how far it is trusted.
    func client(of request: HTTPRequest) -> (ClientKey, ClientStanding)
    /// How far a client that connects from an address is trusted: a proxy in front speaks for many.
    func standing(of peer: String) -> ClientStanding
    /// The answer to a request that the server itself refuses, its body discarded.
    func refused(_ request: HTTPRequest, _ refusal: HTTPRefusal) -> HTTPResponse
}

extension HTTPResponder {
    package func timeLimit(of request: HTTPRequest) -> Duration? { nil }
    package func client(of request: HTTPRequest) -> (ClientKey, ClientStanding) { (request.client, .known) }
    package func standing(of peer: String) -> ClientStanding { .known }

    package func refused(_ request: HTTPRequest, _ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(refusal.status, text: refusal.sentence)
    }
}

/// Why a request is not passed to the responder: its head breaks a rule, or its body is too large.
package struct HTTPRefusal: Error, Equatable {
    package let status: Int
    /// For people.
    package let sentence: String

    init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }
}

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
