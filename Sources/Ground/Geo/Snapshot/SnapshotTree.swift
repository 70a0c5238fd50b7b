#if _endian(big)
    #error("snapshot files are read in place and are little endian")
#endif

/// The packed tree and the points in the mapping. All lengths were compared with the number of places when the file
/// was opened, so a node or ordinal in range is inside of its section; the callers keep to the range.
///
/// Plain bytes without references: copying it costs no reference counting.
@safe
struct SnapshotTree: BitwiseCopyable {
    let places: Int
    /// The number of levels; 0 without places.
    let height: Int
    /// Nodes per level, blocks first.
    private let nodes: InlineArray<8, Int>
    /// The first group of each level.
    private let firstGroups: InlineArray<8, Int>
    private let groups: UnsafeRawPointer
    private let masks: UnsafeRawPointer
    private let points: UnsafeRawPointer
    private let sets: UnsafeRawPointer

    init(_ sections: SnapshotSections, _ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { preconditionFailure("a mapping has an address") }
        unsafe self.init(
            sections.places, groups: base + sections.range(.tree).lowerBound,
            points: base + sections.range(.points).lowerBound, masks: base + sections.range(.masks).lowerBound,
            sets: base + sections.range(.setNumbers).lowerBound)
    }

    /// A tree over points without categories: masks and sets must not be looked at.
    init(points count: Int, groups: UnsafeRawPointer, blocks: UnsafeRawPointer) {
        unsafe self.init(count, groups: groups, points: blocks, masks: groups, sets: groups)
    }

    private init(
        _ places: Int, groups: UnsafeRawPointer, points: UnsafeRawPointer, masks: UnsafeRawPointer,
        sets: UnsafeRawPointer
    ) {
        let levels = SnapshotLayout.levels(of: places)
        self.places = places
        height = levels.count
        var (nodes, firstGroups) = (InlineArray<8, Int>(repeating: 0), InlineArray<8, Int>(repeating: 0))
        for level in levels.indices {
            nodes[level] = levels[level]
            if level > 0 { firstGroups[level] = firstGroups[level - 1] + SnapshotLayout.groups(of: levels[level - 1]) }
        }
        (self.nodes, self.firstGroups) = (nodes, firstGroups)
        unsafe (self.groups, self.points, self.masks, self.sets) = (groups, points, masks, sets)
    }

    /// How many bytes the groups of all levels take.
    static func groupBytes(of places: Int) -> Int {
        SnapshotLayout.levels(of: places).reduce(0) { $0 + SnapshotLayout.groups(of: $1) * SnapshotLayout.groupBytes }
    }

    /// The 16 nodes of a group: 16 × south, north, west, east.
    @inline(__always)
    func group(_ group: Int, level: Int) -> UnsafeRawPointer {
        unsafe groups + (firstGroups[level] + group) * SnapshotLayout.groupBytes
    }

    /// Nodes of a group that are not filling.
    @inline(__always)
    func nodes(inGroup group: Int, level: Int) -> Int {
        min(SnapshotLayout.groupNodes, nodes[level] - group * SnapshotLayout.groupNodes)
    }

    /// The points of a block: 32 × latitude, 32 × longitude.
    @inline(__always)
    func block(_ block: Int) -> UnsafeRawPointer { unsafe points + block * SnapshotLayout.blockPlaces * 8 }

    /// Reads a byte of each cache line of a block, so that the lines of several blocks are fetched at the same time
    /// and not each when its turn comes.
    @inline(__always)
    func touch(block: Int) -> UInt32 {
        let start = unsafe self.block(block)
        return unsafe start.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
            ^ start.loadUnaligned(fromByteOffset: 64, as: UInt32.self)
            ^ start.loadUnaligned(fromByteOffset: 128, as: UInt32.self)
            ^ start.loadUnaligned(fromByteOffset: 192, as: UInt32.self)
    }

    /// Places in a block: 32, or fewer in the last one.
    @inline(__always)
    func places(inBlock block: Int) -> Int {
        min(SnapshotLayout.blockPlaces, places - block * SnapshotLayout.blockPlaces)
    }

    /// Places under a node: its blocks are neighbours, so this is arithmetic.
    func places(underNode node: Int, level: Int) -> Int {
        let each = SnapshotLayout.blockPlaces << (4 * level)
        return min(each, places - node * each)
    }

    @inline(__always)
    func mask(ofBlock block: Int) -> UInt64 { unsafe masks.loadUnaligned(fromByteOffset: block * 8, as: UInt64.self) }

    @inline(__always)
    func set(_ ordinal: Int) -> UInt32 { unsafe sets.loadUnaligned(fromByteOffset: ordinal * 4, as: UInt32.self) }

    var coordinates: SnapshotCoordinates { unsafe SnapshotCoordinates(points: points) }

    @inline(__always)
    func point(_ ordinal: Int) -> Coordinate { coordinates[ordinal] }
}

/// The coordinates alone: a pointer, for loops that look at nothing else.
@safe
struct SnapshotCoordinates: BitwiseCopyable {
    private let points: UnsafeRawPointer

    init(points: UnsafeRawPointer) { unsafe self.points = points }

    /// The coordinate of a place whose ordinal is in range; in a damaged file it may be off the Earth.
    @inline(__always)
    subscript(ordinal: Int) -> Coordinate {
        let lane = ordinal % SnapshotLayout.blockPlaces * 4
        let block = unsafe points + ordinal / SnapshotLayout.blockPlaces * (SnapshotLayout.blockPlaces * 8)
        let latitude = unsafe block.loadUnaligned(fromByteOffset: lane, as: Int32.self)
        let far = SnapshotLayout.blockPlaces * 4
        let longitude = unsafe block.loadUnaligned(fromByteOffset: lane + far, as: Int32.self)
        return Coordinate(uncheckedLatitudeE7: latitude, longitudeE7: longitude)
    }
}

/// The bounding box of a node of the tree; never crosses the antimeridian, since the curve's plane doesn't.
struct BlockBounds {
    var south = Int32.max
    var north = Int32.min
    var west = Int32.max
    var east = Int32.min

    mutating func add(_ row: SnapshotRows.Row) {
        add(BlockBounds(south: row.latitudeE7, north: row.latitudeE7, west: row.longitudeE7, east: row.longitudeE7))
    }

    mutating func add(_ point: Coordinate) {
        add(
            BlockBounds(
                south: point.latitudeE7, north: point.latitudeE7, west: point.longitudeE7, east: point.longitudeE7))
    }

    mutating func add(_ other: BlockBounds) {
        south = min(south, other.south)
        north = max(north, other.north)
        west = min(west, other.west)
        east = max(east, other.east)
    }
}
