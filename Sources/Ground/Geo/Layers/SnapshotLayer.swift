/// A snapshot, and which of its places count: not those that a newer layer has or that were removed, and in a limited
/// layer only those that it shows.
package struct SnapshotLayer: Sendable {
    package let snapshot: Snapshot
    /// Nil: no place is.
    package internal(set) var superseded: PlaceMarks?
    /// Those that count in a limited layer; nil in one that is not limited.
    private var shown: PlaceMarks?

    package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// How many places count.
    package var count: Int { shown?.count ?? snapshot.count - (superseded?.count ?? 0) }

    /// Whether only some places are shown.
    var isLimited: Bool { shown != nil }
    /// Whether all places count.
    var isWhole: Bool { shown == nil && superseded == nil }

    /// Whether a place of the snapshot counts.
    package func holds(_ ordinal: UInt32) -> Bool {
        if let shown { return shown.contains(ordinal) }
        return superseded?.contains(ordinal) != true
    }

    /// The layer with those places alone that count and are marked, to be searched and not to be changed.
    func limited(to marks: PlaceMarks) -> SnapshotLayer {
        let marks = superseded.map(marks.subtracting) ?? marks
        if marks.count == count { return self }
        var layer = self
        layer.shown = marks
        return layer
    }

    /// Marks the place with this id as superseded, if it counts.
    mutating func supersede(_ id: [UInt8]) throws(GeoError) {
        guard let ordinal = try snapshot.ordinal(ofID: id), holds(ordinal) else { return }
        var marks = superseded ?? PlaceMarks()
        superseded = nil
        marks.insert(ordinal)
        superseded = marks
    }
}
