/// Identifies a list: a UUID of version 7, as a pin's.
typealias ListID = PinID

/// A named list of pins.
struct PinList: Equatable, Sendable {
    /// How many an account may have.
    static let limit = 200
    /// How many one pin may be in.
    static let limitOfPin = 50

    let id: ListID
    var name: String
    var colour: Colour
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let createdMilliseconds: Int64
    /// How many pins are in it.
    var pinCount: Int64 = 0

    /// A list as a file says it.
    struct Draft: Equatable, Sendable {
        let name: String
        /// Nil when the file says none.
        let colour: Colour?
    }

    /// The numbers are stored in the database: one that was used never changes its meaning.
    enum Colour: Int64, Sendable, CaseIterable {
        case red = 1, orange, yellow, green, teal, blue, purple, pink, brown, grey
    }
}

/// A query for a page of the pins of a list, already validated; those that were put into it last come first.
struct ListedPinsQuery: Equatable, Sendable {
    /// Where the previous page ended.
    struct Cursor: Equatable, Sendable {
        /// When its last pin was put into the list, in milliseconds since 1970.
        let addedMilliseconds: Int64
        let pin: PinID

        /// Before all pins.
        static let start = Cursor(addedMilliseconds: .max, pin: PinID(high: .max, low: .max))
    }

    let list: ListID
    let after: Cursor
    /// The most pins on the page.
    let limit: Int
    /// Whether the pins themselves are not wanted.
    let isOnlyIDs: Bool
}

/// A page of the pins of a list.
struct ListedPins: Sendable {
    let ids: [PinID]
    /// Empty when only ids are wanted.
    let pins: [Pin]
    /// Where it ended; nil for the last page.
    let end: ListedPinsQuery.Cursor?
}

/// Why a request for a list fails.
enum ListError: Error, Equatable {
    /// The account has no such list.
    case notFound(ListID)
    /// The account has no such pin.
    case noPin(PinID)
    /// The account has as many as it may have.
    case tooMany
    /// A pin is in as many as it may be in.
    case tooManyOfPin(PinID)
}
