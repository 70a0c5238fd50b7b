/// A passkey of an account, as it is stored. With nothing of it one can log in: the key is the public one.
struct StoredPasskey: Equatable, Sendable {
    /// How many an account has at most.
    static let maximum = 20
    /// The name of one that says nothing of itself.
    static let defaultName = "Passkey"

    /// Names it for its owner.
    let id: String
    let account: String
    var name: String
    /// The name that its device gave it, by which it is found.
    let credential: [UInt8]
    /// A COSE_Key.
    let publicKey: [UInt8]
    /// How often it was used, as it counts itself; 0 when it does not.
    let signCount: UInt32
    /// Whether it may be copied to other devices of its owner, and whether it was.
    let isBackupEligible: Bool
    let isBackedUp: Bool
    /// Times in milliseconds since 1970; 0 for never.
    let createdMilliseconds: Int64
    var usedMilliseconds: Int64 = 0
}

/// A challenge for a passkey to sign, so that an earlier signature is worth nothing.
struct PasskeyChallenge: Equatable, Sendable {
    enum Purpose: String, Sendable {
        case registration, logIn
    }

    static let byteCount = 32
    /// How long one is good, in milliseconds.
    static let life: Int64 = 300_000
    /// How many are kept for one asker, and in all. New ones push out the oldest, so that a flood of them keeps no one
    /// out who answers within seconds.
    static let maximumOfAsker = 100
    static let maximum = 10_000

    let purpose: Purpose
    /// An address; for a registration the account.
    let asker: String
    /// The session that it is for; empty for a log-in.
    var session = ""
    let expiresMilliseconds: Int64
}

/// How fresh a session has to be for what lets someone in for good.
enum FreshLogIn {
    /// Milliseconds since the log-in.
    static let life: Int64 = 600_000

    /// Clocks of replicas differ, so a log-in may be ahead of the time.
    static func isFresh(_ logIn: Int64, at time: Int64) -> Bool {
        let age = time.subtractingReportingOverflow(logIn)
        return !age.overflow && (-life...life).contains(age.partialValue)
    }
}
