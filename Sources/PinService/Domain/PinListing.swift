/// A question for a page of an account's pins, the newest first.
struct PinListing: Equatable, Sendable {
    /// Where the page before ended.
    struct Cursor: Equatable, Sendable {
        /// When its last pin was created, in milliseconds since 1970.
        let createdMilliseconds: Int64
        let id: PinID

        /// Before all pins.
        static let start = Cursor(createdMilliseconds: .max, id: PinID(high: .max, low: .max))
    }

    let after: Cursor
    /// How many at most.
    let limit: Int
}

/// A page of pins.
struct PinsListed: Equatable, Sendable {
    let pins: [Pin]
    /// Whether there are more behind these.
    let hasMore: Bool
}

/// Pins around a point.
struct PinsFound: Sendable {
    /// A pin and how far away it is.
    struct Hit: Sendable {
        let pin: Pin
        /// Great-circle distance in metres.
        let metres: Double
    }

    /// Nearest first; equally near ones by id.
    let hits: [Hit]
    /// Whether there are more within the radius.
    let isTruncated: Bool
}
