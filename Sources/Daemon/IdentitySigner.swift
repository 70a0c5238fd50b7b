import Synchronization
package import Wire

/// Gives the gateway signed identities. They are short-lived; one is used again until half of its life is over.
package final class IdentitySigner: Sendable {
    /// How long an identity is valid, in milliseconds.
    package static let lifeMilliseconds: Int64 = 60_000
    /// How many accounts are remembered.
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
