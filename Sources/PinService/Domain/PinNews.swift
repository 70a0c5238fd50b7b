/// What is new about a pin since a version.
struct PinNews: Equatable, Sendable {
    /// How many places one answer names.
    static let mostPlaces = 1_000

    let pin: Pin
    /// Places that were linked or got other photos, by version.
    let places: [LinkedPlace]
    /// Everything up to here is in it.
    let version: Int64

    /// Whether there is more to tell at once.
    var hasMore: Bool { version < pin.version }
}

extension [LinkedPlace] {
    /// These places of ascending versions without the last version's, unless they all fit into one answer. What is told
    /// up to a version has to be whole.
    var wholeVersions: [LinkedPlace] {
        guard count > PinNews.mostPlaces, let last else { return self }
        return filter { $0.version < last.version }
    }
}

/// What is new about all pins of an account since a version.
struct AccountNews: Equatable, Sendable {
    /// How many changes one answer names.
    static let mostChanges = 500
    /// How long it is known which pins were removed, in milliseconds: a week.
    static let removalLifeMilliseconds: Int64 = 7 * 86_400_000

    /// As they are now, by version.
    let pins: [Pin]
    let removed: [PinID]
    /// Whether everything is told, beginning with this.
    let isWhole: Bool
    /// Everything up to here is in it.
    let version: Int64
    /// Whether there is more to tell at once.
    let hasMore: Bool

    /// Whether a watcher learns something from it.
    var isNews: Bool { isWhole || !pins.isEmpty || !removed.isEmpty }
}
