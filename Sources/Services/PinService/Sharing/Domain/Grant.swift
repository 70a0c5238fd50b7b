/// A pin or a list that its account shares with another one.
struct Grant: Sendable {
    /// What the other account may do. The numbers are stored in the database: one that was used never changes its
    /// meaning.
    enum Right: Int64, Sendable {
        case read = 1
        /// Read, and add photos to the album of the pin.
        case addPhotos = 2
    }

    /// How many accounts one pin or list may be shared with.
    static let limitOfSubject = 100
    /// How often an account may share something with another one.
    static let limit = 1_000
    /// How many an account is shown of those that others share with it.
    static let shownLimit = 500

    let id: String
    let account: String
    let subject: Share.Subject
    /// As it was typed.
    let email: String
    /// The account that had this address when it was shared; empty when there was none.
    var guest: String
    var right: Right
    let createdMilliseconds: Int64
}

/// A grant and the name of what is shared.
struct NamedGrant: Sendable {
    var grant: Grant
    let name: String
}

/// What is shared with an account, and how those who share it are called.
struct SharedWith: Sendable {
    let named: NamedGrant
    let owner: String
}

/// Why something is not shared with an account.
enum GrantError: Error, Equatable {
    /// The caller is the profile that all share, and no account.
    case noAccount
    /// The account has no such pin, or no such list.
    case nothing(Share.Subject)
    /// With the account itself.
    case oneself
    /// As many accounts have it as may.
    case tooManyOfSubject
    /// The account shares as often as it may.
    case tooMany
    /// The account shared too often within an hour; how many milliseconds to wait.
    case tooOften(wait: Int64)
    /// Photos can't be added to a list.
    case listIsRead
    /// The account shares nothing by this name, or nothing is shared with it by this name.
    case notFound(String)
}
