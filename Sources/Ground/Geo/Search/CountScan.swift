/// Counts the places of a circle without collecting them.
struct CountScan<Metric: SearchMetric> {
    let metric: Metric
    let circle: Circle
    let filter: ResolvedFilter?

    func count(
        _ layer: SnapshotLayer, source: Int, _ buffers: inout SearchBuffers, _ progress: inout SearchProgress,
        _ checkpoint: (Int) throws -> Void
    ) throws -> Int {
        let verdicts = filter?.verdicts[source]
        if let verdicts, verdicts.isEmpty { return 0 }
        let tree = layer.snapshot.tree
        guard tree.height > 0 else { return 0 }
        let isWhole = filter == nil && !layer.isLimited
        var total = expand(tree, level: tree.height - 1, group: 0, isWhole: isWhole, &buffers)
        while let next = buffers.pop() {
            progress.visited += 1
            if next.level > 0 {
                total += expand(tree, level: next.level - 1, group: next.node, isWhole: isWhole, &buffers)
            } else if verdicts.map({ $0.mask & tree.mask(ofBlock: next.node) != 0 }) ?? true {
                try progress.add(tree.places(inBlock: next.node), checkpoint)
                total += try test(layer, block: next.node, isWhole: isWhole, verdicts, buffers)
            }
        }
        return isWhole ? total - superseded(layer) : total
    }

    /// How many of those counted are superseded: the tree does not know of that.
    private func superseded(_ layer: SnapshotLayer) -> Int {
        var total = 0
        layer.superseded?.forEach { ordinal in
            if circle.contains(layer.snapshot.tree.point(ordinal)) { total += 1 }
        }
        return total
    }

    /// Counts the nodes that lie inside, if all of their places do, and leaves the others on the stack.
    private func expand(
        _ tree: SnapshotTree, level: Int, group: Int, isWhole: Bool, _ buffers: inout SearchBuffers
    ) -> Int {
        let nodes = tree.nodes(inGroup: group, level: level)
        var isInside: UInt16 = 0
        if isWhole {
            unsafe metric.farKeys(tree.group(group, level: level), count: nodes, into: buffers.keys)
            for lane in 0..<nodes where unsafe buffers.keys[lane] <= metric.innerKey { isInside |= 1 << UInt16(lane) }
        }
        unsafe metric.nearKeys(tree.group(group, level: level), count: nodes, into: buffers.keys)
        var total = 0
        for lane in 0..<nodes where unsafe buffers.keys[lane] <= metric.outerKey {
            let node = group * SnapshotLayout.groupNodes + lane
            if isInside & 1 << UInt16(lane) != 0 {
                total += tree.places(underNode: node, level: level)
            } else {
                buffers.push(key: 0, level: level, node: node, from: buffers.stackCount)
            }
        }
        return total
    }

    private func test(
        _ layer: SnapshotLayer, block: Int, isWhole: Bool, _ verdicts: ResolvedFilter.Verdicts?,
        _ buffers: borrowing SearchBuffers
    ) throws -> Int {
        let snapshot = layer.snapshot
        let places = snapshot.tree.places(inBlock: block)
        unsafe metric.pointKeys(snapshot.tree.block(block), count: places, into: buffers.keys)
        var total = 0
        for lane in 0..<places {
            let key = unsafe buffers.keys[lane]
            let ordinal = block * SnapshotLayout.blockPlaces + lane
            guard key <= metric.outerKey else { continue }
            guard key <= metric.innerKey || circle.contains(snapshot.tree.point(ordinal)) else { continue }
            if try isWhole || passes(ordinal, layer, verdicts) { total += 1 }
        }
        return total
    }

    private func passes(_ ordinal: Int, _ layer: SnapshotLayer, _ verdicts: ResolvedFilter.Verdicts?) throws -> Bool {
        guard layer.holds(UInt32(ordinal)) else { return false }
        let snapshot = layer.snapshot
        if let verdicts, try !verdicts.allow(UInt32(ordinal), of: snapshot) { return false }
        guard let accepts = unsafe filter?.accepts else { return true }
        let place = try unsafe snapshot.place(UInt32(ordinal))
        return try unsafe accepts(place.id, place.record)
    }
}
