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
