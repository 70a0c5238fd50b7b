/// Points that don't change, sorted along the Hilbert curve, those of one spot by id, under the tree of a snapshot, in
/// memory.
///
/// `@unchecked Sendable`: every stored property is a constant set in `init`; nothing writes to the memory after that.
@safe
final class PointLayer: @unchecked Sendable {
    /// The bounds of blocks and what is above them, and the points.
    let tree: SnapshotTree
    /// The ids by ordinal.
    let ids: [PointID]
    /// Ids that do not count any more in the layers below: this one has them, or they were removed.
    /// Ascending; empty in the lowest layer.
    let superseding: [PointID]
    /// How many bytes it takes.
    let byteCount: Int
    private let memory: UnsafeMutableRawPointer

    init(_ points: [IndexedPoint], superseding: [PointID]) {
        let sorted = Self.alongCurve(points)
        let groupBytes = SnapshotTree.groupBytes(of: points.count)
        let blockBytes = SnapshotLayout.blocks(of: points.count) * SnapshotLayout.blockPlaces * 8
        unsafe memory = .allocate(byteCount: max(groupBytes + blockBytes, 1), alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: groupBytes + blockBytes)
        tree = unsafe SnapshotTree(points: points.count, groups: memory, blocks: memory + groupBytes)
        unsafe Self.write(sorted, tree, to: memory, blocks: memory + groupBytes)
        ids = sorted.map(\.id)
        self.superseding = superseding
        byteCount = groupBytes + blockBytes + (ids.count + superseding.count) * MemoryLayout<PointID>.size
    }

    deinit { unsafe memory.deallocate() }

    /// What it costs to merge it.
    var weight: Int { max(ids.count, superseding.count) }

    /// Whether it decides about an id, and not the layers below.
    func supersedes(_ id: PointID) -> Bool {
        let at = superseding.indices.first(from: { superseding[$0] >= id })
        return at < superseding.count && superseding[at] == id
    }

    /// Whether it has this id at this position.
    func has(_ point: IndexedPoint) -> Bool {
        let place = Hilbert.position(of: point.position)
        let ordinal = ids.indices.first(from: { (Hilbert.position(of: tree.point($0)), ids[$0]) >= (place, point.id) })
        return ordinal < ids.count && ids[ordinal] == point.id && tree.point(ordinal) == point.position
    }

    private static func alongCurve(_ points: [IndexedPoint]) -> [IndexedPoint] {
        struct Place {
            let position: UInt64
            let index: UInt32
        }
        var places = points.indices.map {
            Place(position: Hilbert.position(of: points[$0].position), index: UInt32(truncatingIfNeeded: $0))
        }
        // Of many at one spot, each is found by its id.
        places.sort { left, right in
            left.position == right.position
                ? points[Int(left.index)].id < points[Int(right.index)].id : left.position < right.position
        }
        return places.map { points[Int($0.index)] }
    }

    private static func write(
        _ points: [IndexedPoint], _ tree: SnapshotTree, to groups: UnsafeMutableRawPointer,
        blocks: UnsafeMutableRawPointer
    ) {
        let block = SnapshotLayout.blockPlaces
        var bounds = [BlockBounds](repeating: BlockBounds(), count: SnapshotLayout.blocks(of: points.count))
        for (ordinal, point) in points.enumerated() {
            let start = unsafe blocks + ordinal / block * block * 8 + ordinal % block * 4
            unsafe start.storeBytes(of: point.position.latitudeE7, as: Int32.self)
            unsafe (start + block * 4).storeBytes(of: point.position.longitudeE7, as: Int32.self)
            bounds[ordinal / block].add(point.position)
        }
        var group = 0
        for level in 0..<tree.height {
            var parents: [BlockBounds] = []
            for first in stride(from: 0, to: bounds.count, by: SnapshotLayout.groupNodes) {
                let nodes = bounds[first..<min(first + SnapshotLayout.groupNodes, bounds.count)]
                unsafe write(nodes, to: groups + group * SnapshotLayout.groupBytes)
                parents.append(nodes.reduce(into: BlockBounds()) { $0.add($1) })
                group += 1
            }
            if level + 1 < tree.height { bounds = parents }
        }
    }

    /// Edge by edge; what fills a group up holds nothing.
    private static func write(_ nodes: ArraySlice<BlockBounds>, to group: UnsafeMutableRawPointer) {
        let filler = repeatElement(BlockBounds(), count: SnapshotLayout.groupNodes - nodes.count)
        for (lane, node) in (nodes + filler).enumerated() {
            unsafe (group + lane * 4).storeBytes(of: node.south, as: Int32.self)
            unsafe (group + 64 + lane * 4).storeBytes(of: node.north, as: Int32.self)
            unsafe (group + 128 + lane * 4).storeBytes(of: node.west, as: Int32.self)
            unsafe (group + 192 + lane * 4).storeBytes(of: node.east, as: Int32.self)
        }
    }
}

extension Range<Int> {
    /// The first number from which on a condition holds; the upper bound when there is none.
    fileprivate func first(from holds: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
