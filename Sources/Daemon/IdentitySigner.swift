import Synchronization
package import Wire

/// Makes signed identities, for the clients of a gateway and for a service itself. They are short-lived; one is reused
/// until half of its life is over.
package final class IdentitySigner: Sendable {
    /// How long an identity is valid, in milliseconds.
    package static let lifeMilliseconds: Int64 = 60_000
    /// How many are cached.
    private static let cacheLimit = 10_000

    private struct Issued {
        let signed: SignedIdentity
        let renewAt: Int64
    }

    private let key: DeploymentKey
    private let clock: WallClock
    private let issued = Mutex<[IdentityClaim: Issued]>([:])

    package init(_ key: DeploymentKey, clock: WallClock = .system) {
        self.key = key
        self.clock = clock
    }

    /// A signed identity for a caller.
    package func sign(_ claim: IdentityClaim) -> SignedIdentity {
        let now = clock.unixMilliseconds
        return issued.withLock { issued in
            if let known = issued[claim], now < known.renewAt, now >= known.renewAt - Self.lifeMilliseconds {
                return known.signed
            }
            let identity = claim.identity(expires: now + Self.lifeMilliseconds).packedBytes()
            let signed = SignedIdentity(identity: identity, signature: key.sign(identity))
            if issued.count >= Self.cacheLimit { issued.removeAll() }
            issued[claim] = Issued(signed: signed, renewAt: now + Self.lifeMilliseconds / 2)
            return signed
        }
    }
}
