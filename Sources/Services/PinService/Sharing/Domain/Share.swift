/// A link to a pin, or to a list of pins.
struct Share: Equatable, Sendable {
    /// What it leads to.
    enum Subject: Equatable, Sendable {
        case pin(PinID)
        case list(ListID)

        var id: PinID {
            switch self {
            case .pin(let id), .list(let id): id
            }
        }

        var isList: Bool { if case .list = self { true } else { false } }
    }

    /// How many an account may have.
    static let limit = 500

    let id: String
    let account: String
    let subject: Subject
    let createdMilliseconds: Int64
    /// Nil when it does not end by itself.
    let expiresMilliseconds: Int64?
    /// The hash of its password; empty without one.
    let passwordHash: String
    let isWithNote: Bool
    let isWithImmich: Bool
    /// Whether it shows a pin's name and photos alone.
    let isAlbumAlone: Bool
    var openCount: Int64 = 0
    /// When it was opened last; nil when it never was.
    var openedMilliseconds: Int64?

    func hasEnded(at time: Int64) -> Bool { expiresMilliseconds.map { $0 <= time } ?? false }
}

/// A share and the name of what it leads to.
struct NamedShare: Sendable {
    let share: Share
    let name: String
}

/// Why there is no link, or why it does not open.
enum ShareError: Error, Equatable {
    /// The operator has switched links off.
    case off
    /// The account has as many as it may have.
    case tooMany
    /// The account has no such pin, or no such list.
    case nothing(Share.Subject)
    /// It leads nowhere, or no more.
    case nowhere
    case needsPassword
    case wrongPassword
}
