import Contracts

/// What was acknowledged: kept outside of the system, and compared with it after each kill.
struct Journal: Sendable {
    /// A pin as its last acknowledged change left it.
    struct Entry: Sendable {
        var position: Coordinate
        var radiusM: Double
        /// Given by a person; empty when none was.
        var name: String
        var generation: UInt64
        /// Photos that were removed from its album and not restored.
        var removed: Set<String> = []
        /// Photos that were uploaded into its album, with the SHA-256 of their files.
        var uploads: [String: String] = [:]
        /// The collection that its album has at least.
        var collection: UInt32 = 0
        /// Whether other photos were asked for: there may be none, and then its warning says so.
        var isAskedForOthers = false
    }

    var pins: [String: Entry] = [:]
    var deleted: Set<String> = []

    /// The pins in an order that does not depend on the run.
    var ids: [String] { pins.keys.sorted() }

    mutating func take(_ pin: Pin) {
        var entry = pins[pin.id] ?? Entry(position: Coordinate(), radiusM: 0, name: "", generation: 0)
        entry.position = pin.position ?? Coordinate()
        entry.radiusM = pin.radiusM
        entry.name = pin.isNamed ? pin.name : ""
        entry.generation = max(entry.generation, pin.generation)
        pins[pin.id] = entry
    }

    mutating func delete(_ id: String) {
        pins[id] = nil
        deleted.insert(id)
    }
}
