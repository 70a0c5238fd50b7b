/// A message that is to be sent. It holds no code: one is made when it is sent, and kept as a digest.
struct QueuedMail: Equatable, Sendable {
    /// What it says. The names are stored.
    enum Kind: String, Sendable {
        /// The code of a reset, asked for by anyone.
        case reset
        /// The code of an invitation.
        case invitation
        /// That the password was changed by someone who knew it.
        case passwordChanged
        /// That the password was set with a code.
        case passwordReset
    }

    let id: String
    let kind: Kind
    /// Whom a notice is for; empty for the others.
    var account = ""
    /// For a reset the key of an e-mail address, which may have no account; for an invitation where it goes.
    var email = ""
    /// The client that was the reason.
    let address: String
    /// Milliseconds since 1970.
    let createdMilliseconds: Int64

    /// How many wait at most.
    static let maximumQueued = 1_000
    /// After so many milliseconds one that could not be sent is given up.
    static let life: Int64 = 86_400_000
}

extension AttemptCount {
    /// Messages that a client asks for.
    static func ofMails(from address: String) -> AttemptCount {
        AttemptCount(key: "mails/\(address)", maximum: 20, window: 3_600_000)
    }

    /// Notices that a password is another one: who changes it again and again writes to others with it.
    static func ofNotices(to account: String) -> AttemptCount {
        AttemptCount(key: "notices/\(account)", maximum: 5, window: 3_600_000)
    }

    /// Messages with a code to one e-mail address, of which the digest is given.
    static func ofMails(to email: String) -> AttemptCount {
        AttemptCount(key: "mails to/\(email)", maximum: 3, window: 3_600_000)
    }
}
