package import Contracts

/// What was acknowledged: kept outside of the system, and compared with it after each kill.
package struct Journal: Sendable {
    /// A pin as its last acknowledged change left it.
    package struct Entry: Sendable {
        package var position: Coordinate
        package var radiusM: Double
        /// Given by a person; empty when none was.
        package var name: String
        package var generation: UInt64
        /// Photos that were removed from its album and not restored.
        package var removed: Set<String> = []
        /// Photos that were uploaded into its album, with the SHA-256 of their files.
        package var uploads: [String: String] = [:]
        /// The collection that its album has at least.
        package var collection: UInt32 = 0
        /// Whether other photos were asked for: there may be none, and then its warning says so.
        package var isAskedForOthers = false
    }

    package init() {}

    package var pins: [String: Entry] = [:]
    package var deleted: Set<String> = []

    /// The pins in an order that does not depend on the run.
    package var ids: [String] { pins.keys.sorted() }

    package mutating func take(_ pin: Pin) {
        var entry = pins[pin.id] ?? Entry(position: Coordinate(), radiusM: 0, name: "", generation: 0)
        entry.position = pin.position ?? Coordinate()
        entry.radiusM = pin.radiusM
        entry.name = pin.isNamed ? pin.name : ""
        entry.generation = max(entry.generation, pin.generation)
        pins[pin.id] = entry
    }

    package mutating func delete(_ id: String) {
        pins[id] = nil
        deleted.insert(id)
    }
}

extension Journal {
    /// Takes over what another client, with pins of its own, was told.
    package mutating func merge(_ other: Journal) {
        pins.merge(other.pins) { $1 }
        deleted.formUnion(other.deleted)
    }
}
