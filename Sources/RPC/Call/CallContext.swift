package import EventLoops
package import TLS
package import Wire

/// What a handler knows of the call it answers.
package struct CallContext: Sendable {
    /// When the caller stops waiting; nil for a stream without an end.
    package let deadline: MonotonicTime?
    /// Names the call in every log.
    package var requestID: String
    /// W3C trace context as the caller sent it; empty when it sent none.
    package let traceparent: String
    /// Where this call stands in its trace, once that was looked at.
    package var trace: TraceContext?
    /// For whom the call is made, once its signature was checked.
    package var identity: Identity?
    /// The identity with its proof, to be passed on.
    package var signedIdentity: SignedIdentity?
    /// A client's session token; only the gateway looks at it.
    package let token: String
    /// What is called.
    package let method: MethodDescriptor
    /// When the call arrived.
    package let start: MonotonicTime
    /// Who has made it, by the certificate of its connection; nil without one. A gateway, when it passes a call on.
    package let peer: PeerIdentity?

    package init(
        method: MethodDescriptor, deadline: MonotonicTime? = nil, requestID: String = "", traceparent: String = "",
        identity: Identity? = nil, signedIdentity: SignedIdentity? = nil, token: String = "",
        start: MonotonicTime = .now, peer: PeerIdentity? = nil
    ) {
        self.method = method
        self.deadline = deadline
        self.requestID = requestID
        self.traceparent = traceparent
        self.identity = identity
        self.signedIdentity = signedIdentity
        self.token = token
        self.start = start
        self.peer = peer
    }

    /// How long the caller still waits.
    package var remaining: Duration? { deadline.map { $0.since(.now) } }

    /// The account that the call is made for, or UNAUTHENTICATED.
    package var account: String {
        get throws(RPCError) {
            guard let identity else {
                throw RPCError(.unauthenticated, "\(method.path) needs a caller's identity, signed by the gateway")
            }
            return identity.account
        }
    }
}

/// What a caller says with a call.
package struct CallOptions: Sendable {
    /// When the caller stops waiting. A unary call without one gets the client's default.
    package var deadline: MonotonicTime?
    /// Names the call in every log; made up by the client when empty.
    package var requestID: String
    package var traceparent: String
    package var signedIdentity: SignedIdentity?
    package var token: String
    /// Whether the call may be made again although its method is not idempotent: the request says which change it is.
    package var isRepeatable = false

    package init(
        deadline: MonotonicTime? = nil, requestID: String = "", traceparent: String = "",
        signedIdentity: SignedIdentity? = nil, token: String = ""
    ) {
        self.deadline = deadline
        self.requestID = requestID
        self.traceparent = traceparent
        self.signedIdentity = signedIdentity
        self.token = token
    }

    package init(timeout: Duration) { self.init(deadline: .now + timeout) }

    /// These options for a request that names its change, if it does.
    package func repeatable(_ requestID: String) -> CallOptions {
        var options = self
        options.isRepeatable = !requestID.isEmpty
        return options
    }

    /// Passes on what a call came with: its deadline, its names and its identity.
    package init(_ context: CallContext) {
        self.init(
            deadline: context.deadline, requestID: context.requestID,
            traceparent: context.trace?.traceparent ?? context.traceparent, signedIdentity: context.signedIdentity)
    }
}
