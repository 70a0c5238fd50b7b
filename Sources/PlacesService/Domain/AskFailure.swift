/// Why a live network did not give what it was asked for.
struct AskFailure: Error, Equatable, CustomStringConvertible {
    enum Kind: Int64, Sendable {
        /// It took too long.
        case timeout = 1
        /// It gives no more for now, or we are not to ask for more.
        case quota = 2
        /// It does not accept the key, or the account behind it has no credit.
        case auth = 3
        /// What it answered can't be understood.
        case malformed = 4
        /// It can't be reached, or says that it can't answer.
        case unavailable = 5
    }

    let kind: Kind
    /// What was the matter, for people.
    let reason: String
    /// How long it wants to be left alone, in milliseconds; nil when it does not say.
    var retryAfterMilliseconds: Int64?

    init(_ kind: Kind, _ reason: String, retryAfterMilliseconds: Int64? = nil) {
        self.kind = kind
        self.reason = reason
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    var description: String { reason }
}
