/// One count of wrong passwords, and how many it takes.
///
/// Three counts are kept: of an address, so that one client can't try many accounts; of an account at an address; and
/// of an account. The last does not stop an address from which its owner has logged in before, so that an attacker
/// can't lock the owner out.
package struct AttemptCount: Equatable, Sendable {
    /// What is counted; e-mail addresses as digests, as people type passwords into the wrong field.
    let key: String
    /// This many are taken at once.
    let maximum: Int64
    /// Milliseconds after which so many are forgotten.
    let window: Int64

    static func ofAddress(_ address: String) -> AttemptCount {
        AttemptCount(key: "address/\(address)", maximum: 50, window: 900_000)
    }

    static func ofAccount(_ email: String, at address: String) -> AttemptCount {
        AttemptCount(key: "pair/\(email)/\(address)", maximum: 10, window: 900_000)
    }

    static func ofAccount(_ email: String) -> AttemptCount {
        AttemptCount(key: "account/\(email)", maximum: 100, window: 3_600_000)
    }

    /// Logins at providers that were begun at one address and did not come back.
    static func ofPendingLogins(_ address: String) -> AttemptCount {
        AttemptCount(key: "pending/\(address)", maximum: 100, window: PendingLogin.life)
    }

    /// Log-outs of a provider's server that could not be believed.
    static func ofLogOuts(_ address: String) -> AttemptCount {
        AttemptCount(key: "log-out/\(address)", maximum: 50, window: 900_000)
    }

    /// Passwords that an account sets for its links; in open mode, an address.
    package static func ofSharePasswords(_ account: String, at address: String) -> AttemptCount {
        AttemptCount(key: "share-password/\(account)/\(address)", maximum: 50, window: 3_600_000)
    }

    /// Wrong passwords for a link from one address.
    package static func ofShare(_ id: String, at address: String) -> AttemptCount {
        AttemptCount(key: "share/\(id)/\(address)", maximum: 10, window: 900_000)
    }

    /// Wrong passwords for a link from anywhere.
    package static func ofShare(_ id: String) -> AttemptCount {
        AttemptCount(key: "share/\(id)", maximum: 100, window: 3_600_000)
    }

    /// What an account shares with other accounts, whether there are such or not.
    package static func ofGrants(_ account: String) -> AttemptCount {
        AttemptCount(key: "grant/\(account)", maximum: 100, window: 3_600_000)
    }

    /// New accounts of one address.
    static func ofSignUps(_ address: String) -> AttemptCount {
        AttemptCount(key: "sign-up/\(address)", maximum: 100, window: 3_600_000)
    }
}

/// How full a count is: a bucket that leaks one attempt after the other.
struct AttemptLevel: Equatable {
    let failures: Int64
    /// When the last one was forgotten, or the first came; milliseconds since 1970.
    let since: Int64

    /// What is left at `time` of a level that was stored.
    init(_ stored: Int64, since: Int64, _ count: AttemptCount, at time: Int64) {
        // A clock that was set back forgets nothing until it has come as far again, or the time is over.
        let passed = time.subtractingReportingOverflow(since)
        guard !passed.overflow, passed.partialValue > -count.window else { (failures, self.since) = (0, time); return }
        let forgotten = max(0, passed.partialValue) / count.step
        failures = max(0, stored - forgotten)
        self.since = failures == 0 ? time : since + forgotten * count.step
    }

    /// Milliseconds until one more is taken; nil when it is.
    func wait(_ count: AttemptCount, at time: Int64) -> Int64? {
        failures < count.maximum ? nil : min(max(1, since + count.step - time), count.window)
    }
}

extension AttemptCount {
    /// Milliseconds after which one is forgotten.
    fileprivate var step: Int64 { max(1, window / maximum) }
}
