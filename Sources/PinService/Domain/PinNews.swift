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
