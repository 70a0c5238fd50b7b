import Budgets
package import RPC
import Synchronization
import Wire

/// Refuses calls whose identity is missing, expired or not signed with the deployment's key, or lacks the role that the
/// method needs.
///
/// A gateway sends the same signed identity with many calls: one that was verified is cached, and then only its expiry
/// is checked.
package final class IdentityCheck: ServerInterceptor {
    /// Clocks of two machines may differ by this much, in milliseconds.
    private static let clockTolerance: Int64 = 5_000
    /// As many as a gateway keeps of its clients.
    private static let maximumCached = 10_000

    private let key: DeploymentKey
    private let clock: WallClock
    /// By signature, so that the time of a look tells a caller without one nothing.
    private let proven = Mutex<[[UInt8]: (packed: [UInt8], identity: ProvenIdentity)]>([:])

    package init(_ key: DeploymentKey, clock: WallClock = .system) {
        self.key = key
        self.clock = clock
    }

    package func admit(_ context: inout CallContext) throws(RPCError) {
        guard let signed = context.signedIdentity else {
            if context.method.role == .anyone { return }
            throw RPCError(.unauthenticated, "\(context.method.path) needs a caller's identity, signed by the gateway")
        }
        let identity = try identity(signed)
        let now = clock.unixMilliseconds
        guard identity.expiresUnixMs + Self.clockTolerance >= now,
            identity.expiresUnixMs - Self.clockTolerance <= now + IdentitySigner.lifeMilliseconds
        else {
            throw RPCError(.unauthenticated, "the caller's identity has expired")
        }
        try context.method.check(identity.roles, identity.credential)
        context.identity = identity
        context.standing = .trusted
    }

    private func identity(_ signed: SignedIdentity) throws(RPCError) -> ProvenIdentity {
        if let known = proven.withLock({ $0[signed.signature] }), known.packed == signed.identity {
            return known.identity
        }
        guard key.verify(signed.signature, of: signed.identity) else {
            throw RPCError(.unauthenticated, "the caller's identity is not signed with this deployment's key")
        }
        guard let identity = (try? Identity(packed: signed.identity)).flatMap(ProvenIdentity.init),
            identity.expiresUnixMs < Int64.max / 2, identity.expiresUnixMs > 0
        else {
            throw RPCError(.unauthenticated, "the caller's identity does not decode")
        }
        proven.withLock { proven in
            if proven.count >= Self.maximumCached { proven.removeAll() }
            proven[signed.signature] = (signed.identity, identity)
        }
        return identity
    }
}
