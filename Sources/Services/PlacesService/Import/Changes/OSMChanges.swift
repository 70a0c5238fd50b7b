/// What files of changes say of elements: how each is after all of them, or that it is gone.
struct OSMChanges {
    /// An element after the changes.
    struct Change {
        let id: Int64
        /// Nil for one that is gone.
        let element: OSMElement?
        /// Its number of changes, if the file says it: of two in files the higher one counts, else the later one.
        var version: Int64?
    }

    private var latest: [OSMElement.Kind: [Int64: Change]] = [:]
    /// About how many bytes of memory they take.
    private(set) var heldBytes = 0
    /// When the latest of them was made, in milliseconds since 1970; nil when none says so.
    private(set) var latestTime: Int64?
    /// When the first of them was made.
    private(set) var firstTime: Int64?

    /// Adds what comes later in the files.
    /// - Parameter time: when it was changed, in milliseconds since 1970; nil when the file does not say.
    mutating func add(_ change: Change, _ kind: OSMElement.Kind, at time: Int64?) {
        if let time {
            latestTime = max(latestTime ?? time, time)
            firstTime = min(firstTime ?? time, time)
        }
        if let known = latest[kind]?[change.id]?.version, let own = change.version, known > own { return }
        let replaced = latest[kind, default: [:]].updateValue(change, forKey: change.id)
        heldBytes += Self.bytes(change) - (replaced.map(Self.bytes) ?? 0)
    }

    /// Those of a kind, by their ids.
    func sorted(_ kind: OSMElement.Kind) -> [Change] { (latest[kind] ?? [:]).values.sorted { $0.id < $1.id } }

    private static func bytes(_ change: Change) -> Int { 64 + (change.element?.heldBytes ?? 0) }
}
