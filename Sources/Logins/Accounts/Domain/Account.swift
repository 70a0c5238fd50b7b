/// An account of a person, as it is stored.
struct Account: Equatable, Sendable {
    /// The profile of open mode, until an administrator takes it over.
    static let local = "local"

    let id: String
    let email: String
    var firstName = ""
    var lastName = ""
    /// What it may do, as a set of bits.
    var roles: UInt8
    var isLocked = false
    /// Milliseconds since 1970.
    let createdMilliseconds: Int64
}

/// A session, without its token.
struct StoredSession: Equatable, Sendable {
    /// Names it; not a secret.
    let id: String
    let account: String
    /// What it may do at most, as a set of bits.
    let roles: UInt8
    let device: String
    /// Where it was begun.
    let address: String
    /// Times in milliseconds since 1970.
    let createdMilliseconds: Int64
    var usedMilliseconds: Int64
    var expiresMilliseconds: Int64
    /// The digest of the deployment's token that it was begun with; empty for others.
    var deploymentToken: [UInt8] = []
}

/// How long sessions and codes last, in milliseconds.
struct Lifetimes: Sendable {
    /// A session that is not used.
    var session: Int64 = 86_400_000
    let invitation: Int64 = 7 * 86_400_000
    let reset: Int64 = 86_400_000
    let mailedReset: Int64 = 3_600_000
    let administrator: Int64 = 86_400_000
    /// What happened, and from where an account was used.
    let memory: Int64 = 90 * 86_400_000

    /// The same for keys.
    static let keyUseStep: Int64 = 900_000

    /// A use is only stored when the last one is longer ago than this, so that a call seldom writes.
    var useStep: Int64 { min(900_000, session / 8) }
}

/// Who may make an account.
package enum SignUpRule: String, CaseIterable, Sendable {
    case open, invitation, closed
}
