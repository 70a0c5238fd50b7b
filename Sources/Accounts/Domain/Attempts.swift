/// One count of wrong passwords, and how many it takes.
///
/// Three counts are kept: of an address, so that one client can't try many accounts; of an account at an address; and
/// of an account. The last does not stop an address from which its owner has logged in before, so that an attacker
/// can't lock the owner out.
package struct AttemptCount: Equatable, Sendable {
    /// What is counted; e-mail addresses as digests, as people type passwords into the wrong field.
    let key: String
    /// This many are taken within the time.
    let most: Int64
    /// Milliseconds.
    let window: Int64

    static func ofAddress(_ address: String) -> AttemptCount {
        AttemptCount(key: "address/\(address)", most: 50, window: 900_000)
    }

    static func ofAccount(_ email: String, at address: String) -> AttemptCount {
        AttemptCount(key: "pair/\(email)/\(address)", most: 10, window: 900_000)
    }

    static func ofAccount(_ email: String) -> AttemptCount {
        AttemptCount(key: "account/\(email)", most: 100, window: 3_600_000)
    }

    /// Logins at providers that were begun at one address and did not come back.
    static func ofPendingLogins(_ address: String) -> AttemptCount {
        AttemptCount(key: "pending/\(address)", most: 100, window: PendingLogin.life)
    }

    /// Log-outs of a provider's server that could not be believed.
    static func ofLogOuts(_ address: String) -> AttemptCount {
        AttemptCount(key: "log-out/\(address)", most: 50, window: 900_000)
    }

    /// Wrong passwords for a link from one address.
    package static func ofShare(_ id: String, at address: String) -> AttemptCount {
        AttemptCount(key: "share/\(id)/\(address)", most: 10, window: 900_000)
    }

    /// Wrong passwords for a link from anywhere.
    package static func ofShare(_ id: String) -> AttemptCount {
        AttemptCount(key: "share/\(id)", most: 100, window: 3_600_000)
    }

    /// What an account shares with other accounts, whether there are such or not.
    package static func ofGrants(_ account: String) -> AttemptCount {
        AttemptCount(key: "grant/\(account)", most: 100, window: 3_600_000)
    }

    /// New accounts of one address.
    static func ofSignUps(_ address: String) -> AttemptCount {
        AttemptCount(key: "sign-up/\(address)", most: 100, window: 3_600_000)
    }
}
