/// Scans the places of a box in the order of the file.
struct BoxScan {
    let box: Box
    let after: SearchCursor?
    let filter: ResolvedFilter?

    func search(
        _ layer: SnapshotLayer, source: Int, _ buffers: inout SearchBuffers, _ progress: inout SearchProgress,
        _ checkpoint: (Int) throws -> Void, _ found: (Hit) throws -> Void
    ) throws {
        let verdicts = filter?.verdicts[source]
        if let verdicts, verdicts.isEmpty { return }
        let tree = layer.snapshot.tree
        guard tree.height > 0 else { return }
        expand(tree, level: tree.height - 1, group: 0, &buffers)
        while let next = buffers.pop() {
            progress.visited += 1
            if next.level > 0 {
                expand(tree, level: next.level - 1, group: next.node, &buffers)
            } else if verdicts.map({ $0.mask & tree.mask(ofBlock: next.node) != 0 }) ?? true {
                try progress.add(tree.places(inBlock: next.node), checkpoint)
                progress.filtered += try test(layer, source, block: next.node, verdicts, found)
            }
        }
    }

    private func expand(_ tree: SnapshotTree, level: Int, group: Int, _ buffers: inout SearchBuffers) {
        for lane in 0..<tree.nodes(inGroup: group, level: level) {
            let bounds = unsafe BlockBounds(tree.group(group, level: level), lane)
            guard box.mayTouch(bounds) else { continue }
            let node = group * SnapshotLayout.groupNodes + lane
            buffers.push(key: 0, level: level, node: node, from: buffers.stackCount)
        }
    }

    private func test(
        _ layer: SnapshotLayer, _ source: Int, block: Int, _ verdicts: ResolvedFilter.Verdicts?,
        _ found: (Hit) throws -> Void
    ) throws -> Int {
        let snapshot = layer.snapshot
        var filtered = 0
        let first = block * SnapshotLayout.blockPlaces
        for ordinal in first..<(first + snapshot.tree.places(inBlock: block)) {
            let point = snapshot.tree.point(ordinal)
            guard point.isInRange else { throw snapshot.offEarth(UInt32(ordinal)) }
            guard layer.holds(UInt32(ordinal)) else { continue }
            guard box.contains(point) else { continue }
            guard try passes(ordinal, snapshot, verdicts) else {
                filtered += 1
                continue
            }
            try found(Hit(source: UInt32(source), ordinal: UInt32(ordinal), metres: 0))
        }
        return filtered
    }

    private func passes(_ ordinal: Int, _ snapshot: Snapshot, _ verdicts: ResolvedFilter.Verdicts?) throws -> Bool {
        if let verdicts, try !verdicts.allow(UInt32(ordinal), of: snapshot) { return false }
        guard unsafe after != nil || filter?.accepts != nil else { return true }
        let place = try unsafe snapshot.place(UInt32(ordinal))
        if let after, unsafe !after.id.withUnsafeBytes({ unsafe IDOrder.isAscending($0, place.id) }) { return false }
        guard let accepts = unsafe filter?.accepts else { return true }
        return try unsafe accepts(place.id, place.record)
    }
}

extension Box {
    /// Whether a node of the tree may contain a point of the box. A pole belongs to the box whatever its longitude.
    func mayTouch(_ node: BlockBounds) -> Bool {
        guard node.south <= northE7, node.north >= southE7 else { return false }
        let quarter = Coordinate.quarterE7
        if node.north == quarter || node.south == -quarter { return true }
        if eastE7 == Coordinate.halfTurnE7, node.west == -Coordinate.halfTurnE7 { return true }
        if crossesAntimeridian { return node.east >= westE7 || node.west <= eastE7 }
        return node.west <= eastE7 && node.east >= westE7
    }
}
