/// What a streaming call keeps in addition to what every call keeps.
///
/// `@unchecked Sendable`: it is touched on its connection's loop only.
final class CallStreams: @unchecked Sendable {
    /// How much of the answers the client accepts; nil when there is one answer.
    let answers: SendWindow?
    /// Receives the client's requests; nil when there is one request.
    let requests: (any StreamReceiver)?
    /// Bytes of requests that the client may send ahead.
    let requestWindow: Int

    init(answers: SendWindow?, requests: (any StreamReceiver)?, requestWindow: Int) {
        self.answers = answers
        self.requests = requests
        self.requestWindow = requestWindow
    }

    /// The call is over: notifies the handler, wherever it waits.
    func end(_ reason: String) {
        answers?.end()
        requests?.end(RPCError(.cancelled, reason))
    }
}
