package import Budgets

/// Answers requests.
package protocol HTTPResponder: Sendable {
    /// Decides on a request whose head has arrived, once: its client is the address at the other end, its body is
    /// empty.
    func begin(_ head: HTTPRequest) -> any HTTPWork
    /// How far a client that connects from an address is trusted: a proxy in front speaks for many.
    func standing(of peer: String) -> ClientStanding
}

extension HTTPResponder {
    package func standing(of peer: String) -> ClientStanding { .known }
}

/// What was decided on a request by its head: who it is counted for, what it may cost, what answers it.
package protocol HTTPWork: Sendable {
    /// Nil: the address at the other end.
    var client: ClientKey? { get }
    /// How far the client is trusted.
    var standing: ClientStanding { get }
    /// Nil: as long as the server allows.
    var bodyLimit: HTTPBodyLimit? { get }
    /// Whether it takes the body as it comes, and may answer before that has ended. In HTTP/1.1 the body is whole.
    var takesParts: Bool { get }
    /// How long the answer may take when it does not come at once: then its task is cancelled. Nil: as long as the
    /// client waits.
    var timeLimit: Duration? { get }
    /// The answer to the whole request. Its task is cancelled when the server stops, and when the client has gone.
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// The answer to a request that the server itself refuses, its body discarded.
    func refuse(_ request: HTTPRequest, _ refusal: HTTPRefusal) -> HTTPResponse
}

extension HTTPWork {
    package var client: ClientKey? { nil }
    package var standing: ClientStanding { .known }
    package var bodyLimit: HTTPBodyLimit? { nil }
    package var takesParts: Bool { false }
    package var timeLimit: Duration? { nil }

    package func refuse(_ request: HTTPRequest, _ refusal: HTTPRefusal) -> HTTPResponse {
        HTTPResponse(refusal.status, text: refusal.sentence)
    }
}

/// One that decides nothing by the head is the work of every request.
extension HTTPResponder where Self: HTTPWork {
    package func begin(_ head: HTTPRequest) -> any HTTPWork { self }
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

/// How many bytes a body may have.
package struct HTTPBodyLimit: Sendable {
    let bytes: Int
    /// What the sender of a longer one reads; nil for what the server says of all.
    private let sentence: String?

    package init(_ bytes: Int, _ sentence: String? = nil) {
        self.bytes = bytes
        self.sentence = sentence
    }

    var refusal: HTTPRefusal {
        HTTPRefusal(413, sentence ?? "the body is longer than the \(bytes) bytes that are allowed")
    }
}
