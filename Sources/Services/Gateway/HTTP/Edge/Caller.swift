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
    let token: String
    /// The client for limits on shared resources.
    let client: ClientKey
    /// The longest deadline of a unary call.
    let maximumTimeout: Duration

    /// The context of one call.
    func context(_ method: MethodDescriptor, timeout: ConnectTimeout) throws(RPCError) -> CallContext {
        CallContext(
            method: method, deadline: timeout.limit(method, at: maximumTimeout).map { .now + $0 }, requestID: requestID,
            traceparent: traceparent, token: token, client: client)
    }
}

extension Caller {
    private static let longestName = 64

    init(_ request: HTTPRequest, _ session: SessionCookie, maximumTimeout: Duration) {
        client = request.client
        requestID = Self.name(request.headers["x-request-id"]) ?? RequestID.make()
        traceparent = Self.name(request.headers["traceparent"]) ?? ""
        token = session.token(of: request)
        self.maximumTimeout = maximumTimeout
    }

    /// A name that may go into logs and headers; nil when it may not.
    private static func name(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.utf8.count <= longestName else { return nil }
        return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } ? text : nil
    }
}
