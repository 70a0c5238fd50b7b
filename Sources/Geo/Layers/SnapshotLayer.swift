/// A snapshot, and which of its places no longer count because a newer layer has them or they are gone.
package struct SnapshotLayer: Sendable {
    package let snapshot: Snapshot
    /// Nil: all places count.
    package internal(set) var superseded: PlaceMarks?

    package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// How many places count.
    package var count: Int { snapshot.count - (superseded?.count ?? 0) }

    /// Whether a place of the snapshot counts.
    package func holds(_ ordinal: UInt32) -> Bool { superseded?.contains(ordinal) != true }

    /// The ordinal of the place with this id, if it counts.
    func ordinal(ofID id: [UInt8]) throws(GeoError) -> UInt32? {
        guard let ordinal = try snapshot.ordinal(ofID: id) else { return nil }
        return superseded?.contains(ordinal) == true ? nil : ordinal
    }

    /// Lets the place with this id count no longer, if it does.
    mutating func supersede(_ id: [UInt8]) throws(GeoError) {
        guard let ordinal = try ordinal(ofID: id) else { return }
        var marks = superseded ?? PlaceMarks()
        superseded = nil
        marks.insert(ordinal)
        superseded = marks
    }
}
