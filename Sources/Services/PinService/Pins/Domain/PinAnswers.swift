/// A query for a page of an account's pins, the newest first.
struct PinListing: Equatable, Sendable {
    /// Where the previous page ended.
    struct Cursor: Equatable, Sendable {
        /// When its last pin was created, in milliseconds since 1970.
        let createdMilliseconds: Int64
        let id: PinID

        /// Before all pins.
        static let start = Cursor(createdMilliseconds: .max, id: PinID(high: .max, low: .max))
    }

    let after: Cursor
    /// The most pins on the page.
    let limit: Int
}

/// A page of pins.
struct PinsListed: Equatable, Sendable {
    let pins: [Pin]
    /// Whether more pins follow.
    let hasMore: Bool
}

/// The changes of a pin since a version.
struct PinDelta: Equatable, Sendable {
    /// How many places one answer contains at most.
    static let maximumPlaces = 1_000

    let pin: Pin
    /// Places that were linked or whose photos changed, by version.
    let places: [LinkedPlace]
    /// All changes up to this version are included.
    let version: Int64

    /// Whether more changes can be sent at once.
    var hasMore: Bool { version < pin.version }
}

extension [LinkedPlace] {
    /// These places, in order of their versions, without those of the last version unless all fit into one answer: a
    /// version must not be split between answers.
    var wholeVersions: [LinkedPlace] {
        guard count > PinDelta.maximumPlaces, let last else { return self }
        return filter { $0.version < last.version }
    }
}

/// The changes of all pins of an account since a version.
struct AccountDelta: Equatable, Sendable {
    /// How many changes one answer contains at most.
    static let maximumChanges = 500
    /// How long removals of pins are remembered, in milliseconds: a week.
    static let removalLifeMilliseconds: Int64 = 7 * 86_400_000

    /// In their current state, by version.
    let pins: [Pin]
    let removed: [PinID]
    /// Whether everything is sent, beginning with this answer.
    let isWhole: Bool
    /// How many pins there are, when these are too many to be sent; 0 otherwise.
    var crowd = 0
    /// All changes up to this version are included.
    let version: Int64
    /// Whether more changes can be sent at once.
    let hasMore: Bool

    /// Whether it contains anything new for a watcher.
    var hasChanges: Bool { isWhole || !pins.isEmpty || !removed.isEmpty }
}
