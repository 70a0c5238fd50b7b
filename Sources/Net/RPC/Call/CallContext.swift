package import Budgets
package import EventLoops
package import TLS
package import Wire

/// What a handler knows of the call it answers.
///
/// `@unchecked Sendable`: a value with copy on write. Its storage is changed only while it has a single owner.
package struct CallContext: @unchecked Sendable {
    /// All fields in one object: a call's context is passed along many times, and each copy would count references for
    /// every string in it.
    private final class Storage {
        let deadline: MonotonicTime?
        var requestID: String
        let traceparent: String
        var trace: TraceContext?
        var identity: ProvenIdentity?
        var signedIdentity: SignedIdentity?
        var callGuard: (any CallGuard)?
        let token: String
        let tokenDigest: [UInt8]
        let method: MethodDescriptor
        let start: MonotonicTime
        let peer: PeerIdentity?
        let client: ClientKey
        var standing = ClientStanding.stranger
        var heldBytes = 0

        init(
            deadline: MonotonicTime?, requestID: String, traceparent: String, trace: TraceContext?,
            identity: ProvenIdentity?, signedIdentity: SignedIdentity?, token: String, tokenDigest: [UInt8],
            method: MethodDescriptor, start: MonotonicTime, peer: PeerIdentity?, client: ClientKey
        ) {
            self.deadline = deadline
            self.requestID = requestID
            self.traceparent = traceparent
            self.trace = trace
            self.identity = identity
            self.signedIdentity = signedIdentity
            self.token = token
            self.tokenDigest = tokenDigest
            self.method = method
            self.start = start
            self.peer = peer
            self.client = client
        }

        var copy: Storage {
            let copy = Storage(
                deadline: deadline, requestID: requestID, traceparent: traceparent, trace: trace, identity: identity,
                signedIdentity: signedIdentity, token: token, tokenDigest: tokenDigest, method: method, start: start,
                peer: peer, client: client)
            copy.callGuard = callGuard
            copy.standing = standing
            copy.heldBytes = heldBytes
            return copy
        }
    }

    private var storage: Storage

    package init(
        method: MethodDescriptor, deadline: MonotonicTime? = nil, requestID: String = "", traceparent: String = "",
        identity: ProvenIdentity? = nil, signedIdentity: SignedIdentity? = nil, token: String = "",
        tokenDigest: [UInt8] = [], start: MonotonicTime = .now, peer: PeerIdentity? = nil, client: ClientKey = .unknown
    ) {
        storage = Storage(
            deadline: deadline, requestID: requestID, traceparent: traceparent, trace: nil, identity: identity,
            signedIdentity: signedIdentity, token: token, tokenDigest: tokenDigest, method: method, start: start,
            peer: peer, client: client)
    }

    /// When the caller stops waiting; nil for a stream without an end.
    package var deadline: MonotonicTime? { storage.deadline }
    /// W3C trace context as the caller sent it; empty when it sent none.
    package var traceparent: String { storage.traceparent }
    /// A client's session token; only the gateway reads it.
    package var token: String { storage.token }
    /// The token's SHA-256, where the gateway knows it already; else empty.
    package var tokenDigest: [UInt8] { storage.tokenDigest }
    /// What is called.
    package var method: MethodDescriptor { storage.method }
    /// When the call arrived.
    package var start: MonotonicTime { storage.start }
    /// Who made the call, by the certificate of its connection; nil without one. A gateway, when it passes a call on.
    package var peer: PeerIdentity? { storage.peer }

    /// Where the call came from, for limits by client.
    package var client: ClientKey { storage.client }

    /// Names the call in every log.
    package var requestID: String {
        get { storage.requestID }
        set { change { $0.requestID = newValue } }
    }

    /// The position of this call in its trace, once that was read.
    package var trace: TraceContext? {
        get { storage.trace }
        set { change { $0.trace = newValue } }
    }

    /// Who makes the call, once the signature was verified.
    package var identity: ProvenIdentity? {
        get { storage.identity }
        set { change { $0.identity = newValue } }
    }

    /// The identity with its proof, to be passed on.
    package var signedIdentity: SignedIdentity? {
        get { storage.signedIdentity }
        set { change { $0.signedIdentity = newValue } }
    }

    /// May still refuse the call while it runs; nil when all is decided.
    package var callGuard: (any CallGuard)? {
        get { storage.callGuard }
        set { change { $0.callGuard = newValue } }
    }

    /// How far the caller is trusted with shared resources; set by the code that checks the call. This and the next are
    /// set before the call's handler begins, while the call has one owner: they are the same in all copies, and cost
    /// none.
    package var standing: ClientStanding {
        get { storage.standing }
        nonmutating set { storage.standing = newValue }
    }

    /// Whose turn it is when the call waits for something.
    package var sharer: Sharer { storage.identity?.sharer ?? Sharer(storage.client, storage.standing) }

    /// Bytes that its connection holds for it.
    var heldBytes: Int {
        get { storage.heldBytes }
        nonmutating set { storage.heldBytes = newValue }
    }

    private mutating func change(_ change: (Storage) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy }
        change(storage)
    }
}

extension CallContext {
    /// Runs what works for the caller.
    func working<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        try await Sharer.$current.withValue(sharer) { try await body() }
    }

    /// How much longer the caller waits.
    package var remaining: Duration? { deadline.map { $0.since(.now) } }

    /// The account that the call is made for, or UNAUTHENTICATED.
    package var account: String {
        get throws(RPCError) {
            guard let identity else {
                throw RPCError(.unauthenticated, "\(method.path) needs a caller's identity, signed by the gateway")
            }
            guard let account = identity.account else {
                throw RPCError(
                    .permissionDenied, "\(method.path) is called for an account; \(identity.service ?? "") named none")
            }
            return account
        }
    }
}

/// What a caller sends with a call besides the request.
package struct CallOptions: Sendable {
    /// When the caller stops waiting. A unary call without one gets the client's default.
    package var deadline: MonotonicTime?
    /// Names the call in every log. A gateway makes one up when it is missing.
    package var requestID: String
    package var traceparent: String
    package var signedIdentity: SignedIdentity?
    package var token: String
    /// Whether the call may be repeated although its method is not idempotent: the request names its change.
    package var isRepeatable = false
    /// Whether a second address is asked when the first takes longer than usual. Only of a call that may be repeated
    /// and has one answer.
    package var isHedged = false
    /// Takes where a call with one answer was sent; nil when the caller doesn't want to know.
    package var note: CallNote?

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
