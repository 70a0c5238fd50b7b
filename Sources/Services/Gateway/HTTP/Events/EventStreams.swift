import Contracts
import EventLoops
import HTTP
import ProtoSchema
import RPC
import Refusals
import WireJSON

/// Watches as Server-Sent Events (https://html.spec.whatwg.org/multipage/server-sent-events.html), all of a client in
/// one stream, because browsers open few connections. The id of an event holds the version of each watch, so that a
/// browser that reconnects continues where it was.
struct EventStreams: Sendable {
    /// The most watches of one stream.
    static let watchLimit = 32
    private let server: Server
    private let connect: ConnectHandler
    private let schema: Schema
    private let pace: EventPace

    init(
        _ server: Server, _ connect: ConnectHandler, _ schema: Schema = .embedded, pace: EventPace = EventPace()
    ) {
        self.server = server
        self.connect = connect
        self.schema = schema
        self.pace = pace
    }

    func respond(to request: HTTPRequest, _ caller: Caller) throws(RPCError) -> HTTPResponse {
        let watches = try watches(request)
        let stream = EventStream(
            server: server, watches: watches, caller: caller,
            progress: EventProgress(request.headers["last-event-id"] ?? "", count: watches.count), pace: pace)
        return HTTPResponse(
            200,
            headers: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
            ], body: .stream(count: nil) { writer in try await stream.run(writer) })
    }

    private func watches(_ request: HTTPRequest) throws(RPCError) -> [WatchedMethod] {
        let texts = request.query.values("watch")
        guard (1...Self.watchLimit).contains(texts.count) else {
            throw Refusal("watch", texts.count, "watches", allowed: "1 to \(Self.watchLimit) are").rpcError
        }
        var watches: [WatchedMethod] = []
        for (index, text) in texts.enumerated() {
            watches.append(try WatchedMethod(text, index: index, connect, schema))
        }
        return watches
    }
}
