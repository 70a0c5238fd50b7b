/// Scans one snapshot after the other and collects everything that may be among the nearest.
struct NearestScan<Metric: SearchMetric> {
    let metric: Metric
    let circle: Circle
    let after: SearchCursor?
    let box: Box?
    let filter: ResolvedFilter?
    /// Keys of the cursor's distance.
    private let cursorKeys: (low: Float, high: Float)
    /// No test but the radius.
    private let isPlain: Bool

    init(metric: Metric, circle: Circle, after: SearchCursor?, box: Box?, filter: ResolvedFilter?) {
        self.metric = metric
        self.circle = circle
        self.after = after
        self.box = box
        self.filter = filter
        cursorKeys = after.map { metric.keys(ofMetres: $0.metres) } ?? (-1, -1)
        isPlain = after == nil && box == nil && filter == nil
    }

    /// Depth first, the nearest child first: the bound falls after a few blocks and prunes the rest.
    func search(
        _ layer: SnapshotLayer, source: Int, _ buffers: inout SearchBuffers, _ progress: inout SearchProgress,
        _ checkpoint: (Int) throws -> Void
    ) throws {
        let verdicts = filter?.verdicts[source]
        if let verdicts, verdicts.isEmpty { return }
        let tree = layer.snapshot.tree
        guard tree.height > 0 else { return }
        expand(tree, level: tree.height - 1, group: 0, &buffers)
        while let next = buffers.pop() {
            guard next.key <= buffers.bound else { continue }
            progress.visited += 1
            if next.level > 0 {
                expand(tree, level: next.level - 1, group: next.node, &buffers)
            } else if verdicts.map({ $0.mask & tree.mask(ofBlock: next.node) != 0 }) ?? true {
                try progress.add(tree.places(inBlock: next.node), checkpoint)
                let first = sift(tree, block: next.node, source: source, &buffers)
                progress.filtered += try accept(from: first, layer, verdicts, &buffers)
                buffers.refine()
            }
        }
    }

    @inline(__always)
    func expand(_ tree: SnapshotTree, level: Int, group: Int, _ buffers: inout SearchBuffers) {
        let nodes = tree.nodes(inGroup: group, level: level)
        unsafe metric.nearKeys(tree.group(group, level: level), count: nodes, into: buffers.keys)
        let start = buffers.stackCount
        for lane in 0..<nodes {
            let key = unsafe buffers.keys[lane]
            guard key <= buffers.bound else { continue }
            let node = group * SnapshotLayout.groupNodes + lane
            buffers.push(key: key, level: level, node: node, from: start)
            if level == 0 { buffers.touched ^= tree.touch(block: node) }
        }
    }

    /// Appends the block's points up to the bound without a branch per point, and returns the first one's index.
    @inline(__always)
    func sift(_ tree: SnapshotTree, block: Int, source: Int, _ buffers: inout SearchBuffers) -> Int {
        buffers.reserveBlock()
        let places = tree.places(inBlock: block)
        unsafe metric.pointKeys(tree.block(block), count: places, into: buffers.keys)
        let bound = buffers.bound
        let first = buffers.count
        let keys = unsafe buffers.keys
        let candidates = unsafe buffers.candidates
        var count = first
        let ordinal = UInt32(truncatingIfNeeded: block * SnapshotLayout.blockPlaces)
        for lane in 0..<places {
            let key = unsafe keys[lane]
            unsafe candidates[count] = SearchBuffers.Candidate(
                key: key, ordinal: ordinal &+ UInt32(truncatingIfNeeded: lane),
                source: UInt32(truncatingIfNeeded: source))
            // One more if the difference has no sign: a comparison would become a branch that is often missed.
            count &+= Int(truncatingIfNeeded: ~(bound - key).bitPattern >> 31)
        }
        buffers.count = count
        return first
    }

    /// Keeps those of the new candidates that really match, and counts them; returns how many did not.
    @inline(__always)
    private func accept(
        from first: Int, _ layer: SnapshotLayer, _ verdicts: ResolvedFilter.Verdicts?, _ buffers: inout SearchBuffers
    ) throws -> Int {
        if isPlain, layer.isWhole {
            acceptPlain(from: first, layer.snapshot.tree.coordinates, &buffers)
            return 0
        }
        let offered = buffers.count
        var kept = first
        for index in first..<buffers.count {
            let candidate = unsafe buffers.candidates[index]
            guard try matches(candidate, layer, verdicts) else { continue }
            unsafe buffers.candidates[kept] = candidate
            buffers.tally(kept)
            kept += 1
        }
        buffers.count = kept
        return offered - kept
    }

    /// The same when only the radius has to be checked.
    @inline(__always)
    private func acceptPlain(from first: Int, _ points: SnapshotCoordinates, _ buffers: inout SearchBuffers) {
        if buffers.bound <= metric.innerKey {
            for index in first..<buffers.count { buffers.tally(index) }
            return
        }
        var kept = first
        for index in first..<buffers.count {
            let candidate = unsafe buffers.candidates[index]
            guard candidate.key <= metric.innerKey || circle.contains(points[Int(candidate.ordinal)]) else { continue }
            unsafe buffers.candidates[kept] = candidate
            buffers.tally(kept)
            kept += 1
        }
        buffers.count = kept
    }

    @inline(__always)
    private func matches(
        _ candidate: SearchBuffers.Candidate, _ layer: SnapshotLayer, _ verdicts: ResolvedFilter.Verdicts?
    ) throws -> Bool {
        let snapshot = layer.snapshot
        guard layer.holds(candidate.ordinal) else { return false }
        if let verdicts, try !verdicts.allow(candidate.ordinal, of: snapshot) { return false }
        if candidate.key > metric.innerKey, !circle.contains(snapshot.tree.point(Int(candidate.ordinal))) {
            return false
        }
        return try isPlain || matchesRest(candidate, snapshot)
    }

    private func matchesRest(_ candidate: SearchBuffers.Candidate, _ snapshot: Snapshot) throws -> Bool {
        let ordinal = Int(candidate.ordinal)
        if let box, !box.contains(snapshot.tree.point(ordinal)) { return false }
        if let after, try !isAfter(after, candidate, snapshot) { return false }
        guard let accepts = unsafe filter?.accepts else { return true }
        let place = try unsafe snapshot.place(UInt32(ordinal))
        return try unsafe accepts(place.id, place.record)
    }

    private func isAfter(
        _ cursor: SearchCursor, _ candidate: SearchBuffers.Candidate, _ snapshot: Snapshot
    ) throws -> Bool {
        if candidate.key < cursorKeys.low { return false }
        if candidate.key > cursorKeys.high { return true }
        let metres = circle.metres(to: snapshot.tree.point(Int(candidate.ordinal)))
        if metres != cursor.metres { return metres > cursor.metres }
        let id = try unsafe snapshot.place(candidate.ordinal).id
        return unsafe cursor.id.withUnsafeBytes { unsafe IDOrder.isAscending($0, id) }
    }
}
