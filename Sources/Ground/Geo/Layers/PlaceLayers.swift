/// Places that change while they are searched: snapshots in layers, the newest last, in which an id counts once.
///
/// A change makes a small snapshot of the new places, and marks what it supersedes in the layers below. Small layers
/// are merged into larger ones as they accumulate, so that there are few of them and each place is rarely copied: a
/// layer has at least four times the places of the one above it (a log-structured merge tree, O'Neil et al. 1996).
///
///     base ██████████████████████████   in a file, or nothing
///          █████████
///          ██                           the newest
package struct PlaceLayers: Sendable {
    private static let growth = 4

    package private(set) var layers: [SnapshotLayer] = []
    /// The lowest layers, which are not merged with those above: the base, and those from which a new base is being
    /// made.
    package private(set) var settled = 0

    /// Layers on a base, if there is one.
    package init(base: Snapshot? = nil) {
        guard let base else { return }
        layers = [SnapshotLayer(base)]
        settled = 1
    }

    /// How many places count.
    package var count: Int { layers.reduce(0) { $0 + $1.count } }
    /// How many places are above the settled layers.
    package var looseCount: Int { layers.dropFirst(settled).reduce(0) { $0 + $1.snapshot.count } }
    /// How many places no longer count and still take space.
    package var supersededCount: Int { layers.reduce(0) { $0 + ($1.superseded?.count ?? 0) } }

    /// The layers with those places alone that `marks` marks in each snapshot, to be searched and not to be changed.
    package func limited(to marks: (Snapshot) throws(GeoError) -> PlaceMarks) throws(GeoError) -> PlaceLayers {
        var limited = PlaceLayers()
        for layer in layers {
            let shown = layer.limited(to: try marks(layer.snapshot))
            if shown.count > 0 { limited.layers.append(shown) }
        }
        return limited
    }

    /// Adds places, each replacing the one with its id if there is one, and removes others; unknown ids are ignored.
    package mutating func apply(_ changed: consuming SnapshotBuilder, removing ids: [[UInt8]] = []) throws(GeoError) {
        let newest = try changed.snapshot()
        var layers = layers
        for id in ids { try Self.supersede(id, in: &layers) }
        for ordinal in 0..<newest.count {
            try Self.supersede(try unsafe Array(newest.place(UInt32(ordinal)).id), in: &layers)
        }
        if newest.count > 0 { layers.append(SnapshotLayer(newest)) }
        try Self.merge(&layers, above: settled)
        self.layers = layers
    }

    /// Settles all layers until `rebase` or `unsettle`, and returns them: a new base can be made from the result of
    /// their `gather` while changes continue.
    package mutating func settle() -> PlaceLayers {
        settled = layers.count
        return self
    }

    /// The places of all layers that count, collected in a folder.
    package func gather(scratchFolder: String? = nil) throws(GeoError) -> SnapshotBuilder {
        try Self.gathered(layers, scratchFolder)
    }

    /// Replaces the settled layers with the base that was made from `earlier`, the result of `settle`. Changes since
    /// then stay.
    package mutating func rebase(_ base: Snapshot, from earlier: PlaceLayers) throws(GeoError) {
        precondition(settled == earlier.layers.count, "layers of another settling")
        var layer = SnapshotLayer(base)
        for (before, now) in zip(earlier.layers, layers) {
            guard let marks = now.superseded, marks.count > before.superseded?.count ?? 0 else { continue }
            try marks.forEach { ordinal throws(GeoError) in
                if before.superseded?.contains(UInt32(ordinal)) == true { return }
                try layer.supersede(try unsafe Array(now.snapshot.place(UInt32(ordinal)).id))
            }
        }
        layers.replaceSubrange(..<settled, with: [layer])
        settled = 1
    }

    /// Gives up a settling: the base, if there was one, stays.
    package mutating func unsettle(hasBase: Bool) { settled = hasBase ? 1 : 0 }

    private static func supersede(_ id: [UInt8], in layers: inout [SnapshotLayer]) throws(GeoError) {
        for index in layers.indices.reversed() {
            let count = layers[index].count
            try layers[index].supersede(id)
            // An id counts in one layer only.
            if layers[index].count < count { return }
        }
    }

    private static func merge(_ layers: inout [SnapshotLayer], above settled: Int) throws(GeoError) {
        let loose = layers[settled...].filter { $0.count > 0 }
        layers.replaceSubrange(settled..., with: loose)
        var first = layers.count - 1
        var places = layers.last?.count ?? 0
        while first > settled, layers[first - 1].count < growth * places {
            first -= 1
            places += layers[first].count
        }
        guard first >= settled, layers.count - first > 1 else { return }
        let merged = try gathered(Array(layers[first...])).snapshot()
        layers.replaceSubrange(first..., with: [SnapshotLayer(merged)])
    }

    private static func gathered(
        _ layers: [SnapshotLayer], _ scratchFolder: String? = nil
    ) throws(GeoError) -> SnapshotBuilder {
        var builder = SnapshotBuilder(scratchFolder: scratchFolder)
        for layer in layers { try builder.add(layer) }
        return builder
    }
}

extension SnapshotBuilder {
    /// Adds the places of a layer that count.
    mutating func add(_ layer: SnapshotLayer) throws(GeoError) {
        let snapshot = layer.snapshot
        let names = snapshot.categories.names
        var sets: [CategorySet] = []
        for members in snapshot.categories.sets { sets.append(try categorySet(members.map { names[Int($0)] })) }
        for ordinal in 0..<UInt32(snapshot.count) where layer.holds(ordinal) {
            let set = Int(snapshot.tree.set(Int(ordinal)))
            guard set < sets.count else { throw snapshot.unknownSet(of: ordinal) }
            let place = try unsafe snapshot.place(ordinal)
            try unsafe add(
                id: place.id, at: try snapshot.coordinate(of: ordinal), categories: sets[set], record: place.record)
        }
    }
}
