import Budgets
import Daemon
import EventLoops
import HTTP
import RPC
import Wire

/// The caller, as far as the HTTP request shows.
struct Caller: Sendable {
    /// Names the request in every log, and in the answer.
    let requestID: String
    let traceparent: String
    /// The token of the header or the cookie; empty when there is none.
    let token: ClientToken
    /// The client for limits on shared resources.
    let client: ClientKey
    /// How long it waits, where its route is a call and it may say so; otherwise the usual time.
    let timeout: Result<CallTimeout, RPCError>
    /// The longest deadline of a unary call.
    let maximumTimeout: Duration

    /// The context of one call.
    func context(_ method: MethodDescriptor) throws(RPCError) -> CallContext {
        let limit = try timeout.get().limit(method, at: maximumTimeout)
        return CallContext(
            method: method, deadline: limit.map { .now + $0 }, requestID: requestID, traceparent: traceparent,
            token: token.text, tokenDigest: token.digest, client: client)
    }

    /// How long the answer to one call may take; nil: it sees to that itself.
    func limit(of method: MethodDescriptor) -> Duration? {
        guard case .success(let timeout) = timeout else { return nil }
        return timeout.limit(method, at: maximumTimeout)
    }
}

extension Caller {
    private static let longestName = 64

    init(_ head: HTTPRequest, at route: Route?, _ edge: HTTPEdge) {
        self.init(
            head, edge.session, client: edge.clients.key(of: head), timeout: CallTimeout.of(head, at: route),
            maximumTimeout: edge.maximumTimeout)
    }

    init(
        _ head: HTTPRequest, _ session: SessionCookie, client: ClientKey,
        timeout: Result<CallTimeout, RPCError> = .success(.none), maximumTimeout: Duration
    ) {
        self.client = client
        requestID = Self.name(head.headers["x-request-id"]) ?? RequestID.make()
        traceparent = Self.name(head.headers["traceparent"]) ?? ""
        token = ClientToken(session.token(of: head))
        self.timeout = timeout
        self.maximumTimeout = maximumTimeout
    }

    /// A name that may go into logs and headers; nil when it may not.
    private static func name(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= longestName else { return nil }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } ? text : nil
    }
}
