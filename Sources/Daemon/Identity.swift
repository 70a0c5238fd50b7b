import Budgets
package import RPC
import Synchronization
package import Wire

/// Refuses calls whose identity is missing, expired or not signed with the deployment's key.
///
/// A gateway sends the same signed identity with many calls: one that was verified is cached, and then only its expiry
/// is checked.
package final class IdentityCheck: ServerInterceptor {
    /// Clocks of two machines may differ by this much, in milliseconds.
    private static let clockTolerance: Int64 = 5_000
    private static let cacheLimit = 1_000

    private let key: DeploymentKey
    private let clock: WallClock
    /// Services that answer any caller: health, echo.
    private let openServices: Set<String>
    private let proven = Mutex<[SignedIdentity: Identity]>([:])

    package init(_ key: DeploymentKey, openServices: Set<String>, clock: WallClock = .system) {
        self.key = key
        self.openServices = openServices
        self.clock = clock
    }

    package func admit(_ context: inout CallContext) throws(RPCError) {
        guard let signed = context.signedIdentity else {
            if openServices.contains(context.method.service) { return }
            throw RPCError(.unauthenticated, "\(context.method.path) needs a caller's identity, signed by the gateway")
        }
        let identity = try identity(signed)
        let now = clock.unixMilliseconds
        guard identity.expiresUnixMs + Self.clockTolerance >= now,
            identity.expiresUnixMs - Self.clockTolerance <= now + IdentitySigner.lifeMilliseconds
        else {
            throw RPCError(.unauthenticated, "the caller's identity has expired")
        }
        context.identity = identity
        context.standing = .trusted
    }

    private func identity(_ signed: SignedIdentity) throws(RPCError) -> Identity {
        if let known = proven.withLock({ $0[signed] }) { return known }
        guard key.verify(signed.signature, of: signed.identity) else {
            throw RPCError(.unauthenticated, "the caller's identity is not signed with this deployment's key")
        }
        guard let identity = try? Identity(packed: signed.identity), !identity.account.isEmpty,
            identity.expiresUnixMs < Int64.max / 2, identity.expiresUnixMs > 0
        else {
            throw RPCError(.unauthenticated, "the caller's identity does not decode")
        }
        proven.withLock { proven in
            if proven.count >= Self.cacheLimit { proven.removeAll() }
            proven[signed] = identity
        }
        return identity
    }
}

/// Makes signed identities for the gateway. They are short-lived; one is reused until half of its life is over.
package final class IdentitySigner: Sendable {
    /// How long an identity is valid, in milliseconds.
    package static let lifeMilliseconds: Int64 = 60_000
    /// How many accounts are cached.
    private static let cacheLimit = 10_000

    private struct Issued {
        let signed: SignedIdentity
        let renewAt: Int64
    }

    private let key: DeploymentKey
    private let clock: WallClock
    private let issued = Mutex<[String: Issued]>([:])

    package init(_ key: DeploymentKey, clock: WallClock = .system) {
        self.key = key
        self.clock = clock
    }

    /// A signed identity for an account.
    package func sign(_ account: String) -> SignedIdentity {
        let now = clock.unixMilliseconds
        return issued.withLock { issued in
            if let known = issued[account], now < known.renewAt, now >= known.renewAt - Self.lifeMilliseconds {
                return known.signed
            }
            let identity = Identity(account: account, expiresUnixMs: now + Self.lifeMilliseconds).packedBytes()
            let signed = SignedIdentity(identity: identity, signature: key.sign(identity))
            if issued.count >= Self.cacheLimit { issued.removeAll() }
            issued[account] = Issued(signed: signed, renewAt: now + Self.lifeMilliseconds / 2)
            return signed
        }
    }
}
