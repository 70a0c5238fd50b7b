/// Counts the points of a tree by squares. A node that lies in one square, and whose points all count, is counted
/// without looking at them.
struct ClusterScan {
    let tree: SnapshotTree

    /// - Parameters:
    ///   - isWhole: whether all points of the tree count.
    ///   - mayCount: whether points of a block may count; asked for blocks that are looked at.
    ///   - counts: whether a point counts, by its ordinal; not asked when all do.
    ///   - samples: whether one stands for those that are counted without a look. To read it may take the disk.
    func run<Item, Failure: Error>(
        _ clusters: inout Clusters<Item>, isWhole: Bool, samples: Bool, _ progress: inout SearchProgress,
        _ checkpoint: (Int) throws(Failure) -> Void, mayCount: (Int) -> Bool,
        counts: (Int) throws(Failure) -> Bool, item: (Int) throws(Failure) -> Item
    ) throws(Failure) {
        guard tree.height > 0 else { return }
        var stack = [(level: tree.height - 1, group: 0)]
        while let (level, group) = stack.popLast() {
            progress.visited += 1
            for lane in 0..<tree.nodes(inGroup: group, level: level) {
                let bounds = unsafe BlockBounds(tree.group(group, level: level), lane)
                guard clusters.box.mayTouch(bounds) else { continue }
                let node = group * SnapshotLayout.groupNodes + lane
                let count = tree.places(underNode: node, level: level)
                if isWhole, count > 1, clusters.box.contains(bounds), let square = clusters.grid.square(of: bounds) {
                    let first = node * (SnapshotLayout.blockPlaces << (4 * level))
                    try clusters.add(count, in: bounds, square: square) { () throws(Failure) in
                        samples ? try item(first) : nil
                    }
                } else if level > 0 {
                    stack.append((level - 1, node))
                } else if isWhole || mayCount(node) {
                    try progress.add(count, checkpoint)
                    let first = node * SnapshotLayout.blockPlaces
                    for ordinal in first..<(first + count) {
                        let point = tree.point(ordinal)
                        guard clusters.box.contains(point) else { continue }
                        let isCounted = isWhole ? true : try counts(ordinal)
                        if isCounted { clusters.addInside(try item(ordinal), at: point) }
                    }
                }
            }
        }
    }
}

extension SnapshotSet {
    /// Counts the places of a box that pass a filter. `checkpoint` as for a search.
    package func count(
        into clusters: inout Clusters<Hit>, _ filter: ResolvedFilter? = nil,
        checkpoint: (Int) throws -> Void = { _ in }
    ) throws -> SearchOutcome {
        try check(filter)
        var progress = SearchProgress()
        for (source, layer) in layers.enumerated() {
            let verdicts = filter?.verdicts[source]
            if let verdicts, verdicts.isEmpty { continue }
            let snapshot = layer.snapshot
            try ClusterScan(tree: snapshot.tree).run(
                &clusters, isWhole: filter == nil && layer.isWhole, samples: false, &progress, checkpoint
            ) { block in
                verdicts.map { $0.mask & snapshot.tree.mask(ofBlock: block) != 0 } ?? true
            } counts: { ordinal in
                guard layer.holds(UInt32(ordinal)) else { return false }
                if let verdicts, try !verdicts.allow(UInt32(ordinal), of: snapshot) { return false }
                guard let accepts = unsafe filter?.accepts else { return true }
                let place = try unsafe snapshot.place(UInt32(ordinal))
                return try unsafe accepts(place.id, place.record)
            } item: { ordinal in
                guard snapshot.tree.point(ordinal).isInRange else { throw snapshot.offEarth(UInt32(ordinal)) }
                return Hit(source: UInt32(source), ordinal: UInt32(ordinal), metres: 0)
            }
        }
        return SearchOutcome(truncated: false, progress)
    }
}

extension PointIndex {
    /// Counts the points of a box.
    package func count(into clusters: inout Clusters<PointID>) {
        var progress = SearchProgress()
        for (index, layer) in layers.enumerated() {
            ClusterScan(tree: layer.tree).run(
                &clusters, isWhole: index == layers.count - 1, samples: true, &progress, { (_: Int) throws(Never) in },
                mayCount: { _ in true },
                counts: { (ordinal: Int) throws(Never) in counts(layer.ids[ordinal], inLayer: index) },
                item: { (ordinal: Int) throws(Never) in layer.ids[ordinal] })
        }
    }
}
