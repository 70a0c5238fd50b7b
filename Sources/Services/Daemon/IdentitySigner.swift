package import Budgets
import Synchronization
package import Wire

/// Makes signed identities, for the clients of a gateway and for a service itself. They are short-lived; one is reused
/// until half of its life is over.
package final class IdentitySigner: Sendable {
    /// How long an identity is valid, in milliseconds.
    package static let lifeMilliseconds: Int64 = 60_000
    /// How many are cached.
    private static let maximumCached = 10_000

    private struct Caller: Hashable {
        let claim: IdentityClaim
        let client: ClientKey
    }

    private struct Issued {
        let signed: SignedIdentity
        let renewAt: Int64
    }

    private let key: DeploymentKey
    private let clock: WallClock
    private let issued = Mutex<[Caller: Issued]>([:])

    package init(_ key: DeploymentKey, clock: WallClock = .system) {
        self.key = key
        self.clock = clock
    }

    /// A signed identity for a caller.
    /// - Parameter client: the address that it calls from: by default that of whom the current task works for.
    package func sign(_ claim: IdentityClaim, from client: ClientKey = Sharer.current.client) -> SignedIdentity {
        let now = clock.unixMilliseconds
        let caller = Caller(claim: claim, client: client)
        return issued.withLock { issued in
            if let known = issued[caller], now < known.renewAt, now >= known.renewAt - Self.lifeMilliseconds {
                return known.signed
            }
            let identity = claim.identity(from: client, expires: now + Self.lifeMilliseconds).packedBytes()
            let signed = SignedIdentity(identity: identity, signature: key.sign(identity))
            if issued.count >= Self.maximumCached { issued.removeAll() }
            issued[caller] = Issued(signed: signed, renewAt: now + Self.lifeMilliseconds / 2)
            return signed
        }
    }
}
