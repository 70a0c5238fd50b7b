/// The memory of a search, reused by the next one: candidates, a histogram of their keys, the nodes to visit.
///
/// The histogram finds the bound of the nearest K while candidates come in, without ordering them. It divides the
/// keys up to the outer bound into 256 bars; as soon as the bars below some bar hold K candidates, that bar and all
/// above are given up, and the bound falls. Adding is O(1), and what is left at the end is little more than K.
///
///     count  │▆ ▃ ▅ ▂│▄ ▁ ▅ …          K = 12: the first four bars hold them,
///     key    0       bound      outer   the rest can go
@safe
struct SearchBuffers: ~Copyable {
    /// A place that matches; its exact distance isn't known yet.
    struct Candidate: BitwiseCopyable {
        var key: Float
        var ordinal: UInt32
        var source: UInt32
    }

    static let bars = 256
    private static let firstCapacity = 4096
    /// A large search's memory (12 bytes each, twice) is freed by the next small one.
    private static let keptCapacity = 65_536
    /// Seven levels at most, of which each leaves at most 16 nodes on the stack.
    private static let stackCapacity = 256

    private(set) var candidates: UnsafeMutablePointer<Candidate>
    /// The candidates by bars, once `orderByBars` was called.
    private(set) var ordered: UnsafeMutablePointer<Candidate>
    private(set) var capacity: Int
    /// Candidates so far.
    var count = 0
    /// Nodes to visit: key bits << 32 | level << 28 | node, the nearest on top.
    let stack: UnsafeMutablePointer<UInt64>
    var stackCount = 0
    /// Bytes that were read only to prefetch their cache lines; kept so that the reads are not optimized away.
    var touched: UInt32 = 0
    /// One group's or block's keys.
    let keys: UnsafeMutablePointer<Float>
    /// Candidates with a greater key are not among the nearest K.
    private(set) var bound: Float = 0

    private let histogram: UnsafeMutablePointer<UInt32>
    private var wanted = 0
    private var ratio: Float = 1
    private var scale: Float = 0
    private var width: Float = 0
    private var topBar = 0
    private var below = 0

    init() {
        unsafe candidates = .allocate(capacity: Self.firstCapacity)
        unsafe ordered = .allocate(capacity: Self.firstCapacity)
        capacity = Self.firstCapacity
        unsafe stack = .allocate(capacity: Self.stackCapacity)
        unsafe keys = .allocate(capacity: SnapshotLayout.blockPlaces)
        unsafe keys.initialize(repeating: 0, count: SnapshotLayout.blockPlaces)
        unsafe histogram = .allocate(capacity: Self.bars)
    }

    deinit {
        unsafe candidates.deallocate()
        unsafe ordered.deallocate()
        unsafe stack.deallocate()
        unsafe keys.deallocate()
        unsafe histogram.deallocate()
    }

    /// Starts a search for the `wanted` nearest with keys up to `outer`.
    mutating func begin(wanted: Int, outer: Float, ratio: Float) {
        count = 0
        stackCount = 0
        if capacity > Self.keptCapacity, wanted < Self.keptCapacity / 4 { reallocate(Self.firstCapacity) }
        self.wanted = wanted
        self.ratio = ratio
        bound = outer
        divide(upTo: outer)
    }

    /// Counts the candidate at `index` into the histogram, which may lower the bound.
    @inline(__always)
    mutating func tally(_ index: Int) {
        let bar = bar(of: unsafe candidates[index].key)
        guard bar <= topBar else { return }
        unsafe histogram[bar] &+= 1
        below += 1
        while unsafe below - Int(histogram[topBar]) >= wanted { giveUpTopBar() }
    }

    private mutating func giveUpTopBar() {
        unsafe below -= Int(histogram[topBar])
        topBar -= 1
        // K candidates have keys up to this edge, so their true measures are at most edge · ratio.
        bound = min(bound, (Float(topBar) + 0.5) * width * ratio * 1.000_001)
    }

    @inline(__always)
    private func bar(of key: Float) -> Int {
        // Adding 2^23 leaves the number rounded in the low bits: no conversion that could trap on bytes of a damaged
        // file. A key up to the outer bound gives at most the last bar.
        Int(truncatingIfNeeded: (key * scale + 8_388_608).bitPattern) & (Self.bars - 1)
    }

    /// Lets the bars share out the keys up to `outer`. A bound too small to divide makes one bar.
    private mutating func divide(upTo outer: Float) {
        unsafe histogram.initialize(repeating: 0, count: Self.bars)
        let reach = min(outer, 1e30)
        scale = reach > 1e-30 ? Float(Self.bars - 1) / reach : 0
        width = scale > 0 ? reach / Float(Self.bars - 1) : .infinity
        topBar = Self.bars - 1
        below = 0
    }

    /// Divides the rest again when a single bar contains far more than is wanted: the outer bound was too far off.
    /// Returns whether it did.
    ///
    /// With one bar left the bound is below a 400th of what was divided, so a search does this some twenty times at
    /// most. Keys of 0, of places at the centre itself, stay in one bar for ever: in the end there is no scale left.
    @inline(__always) @discardableResult
    mutating func refine() -> Bool {
        guard topBar == 0, scale > 0, below > 2 * wanted + SnapshotLayout.blockPlaces else { return false }
        divideAgain()
        return true
    }

    private mutating func divideAgain() {
        dropBeyondBound()
        divide(upTo: bound)
        for index in 0..<count { tally(index) }
        dropBeyondBound()
    }

    /// Makes room for one more block of candidates.
    @inline(__always)
    mutating func reserveBlock() {
        if count + SnapshotLayout.blockPlaces > capacity { makeRoom() }
    }

    /// Drops what lies beyond the bound and divides the rest again where the bars had become too coarse; grows
    /// only if that doesn't help (many places at one distance).
    private mutating func makeRoom() {
        divideAgain()
        if count > capacity / 2 { reallocate(capacity * 2) }
    }

    private mutating func reallocate(_ newCapacity: Int) {
        let moved = UnsafeMutablePointer<Candidate>.allocate(capacity: newCapacity)
        unsafe moved.initialize(from: candidates, count: min(count, newCapacity))
        unsafe candidates.deallocate()
        unsafe ordered.deallocate()
        unsafe (candidates, ordered) = (moved, .allocate(capacity: newCapacity))
        capacity = newCapacity
    }

    /// Forgets candidates beyond the bound.
    mutating func dropBeyondBound() {
        var kept = 0
        for index in 0..<count where unsafe candidates[index].key <= bound {
            unsafe candidates[kept] = candidates[index]
            kept += 1
        }
        count = kept
    }

    /// Drops what is beyond the bound and copies the rest to `ordered`, bar by bar; returns the number of candidates in
    /// the most crowded bar.
    mutating func orderByBars() -> Int {
        dropBeyondBound()
        let last = min(topBar + 1, Self.bars - 1)
        unsafe histogram.update(repeating: 0, count: last + 1)
        for index in 0..<count { unsafe histogram[min(bar(of: candidates[index].key), last)] += 1 }
        var (start, crowd) = (UInt32(0), UInt32(0))
        for bar in 0...last {
            let size = unsafe histogram[bar]
            unsafe histogram[bar] = start
            start += size
            crowd = max(crowd, size)
        }
        for index in 0..<count {
            let candidate = unsafe candidates[index]
            let bar = min(bar(of: candidate.key), last)
            unsafe ordered[Int(histogram[bar])] = candidate
            unsafe histogram[bar] += 1
        }
        return Int(crowd)
    }

    /// Puts a node on the stack below the nearer ones that were pushed since `start`.
    @inline(__always)
    mutating func push(key: Float, level: Int, node: Int, from start: Int) {
        let entry = UInt64(key.bitPattern) << 32 | UInt64(level) << 28 | UInt64(node)
        var at = stackCount
        while at > start, unsafe stack[at - 1] < entry {
            unsafe stack[at] = stack[at - 1]
            at -= 1
        }
        unsafe stack[at] = entry
        stackCount += 1
    }

    @inline(__always)
    mutating func pop() -> (key: Float, level: Int, node: Int)? {
        guard stackCount > 0 else { return nil }
        stackCount -= 1
        let entry = unsafe stack[stackCount]
        let node = Int(entry & 0xFFF_FFFF)
        return (Float(bitPattern: UInt32(entry >> 32)), Int(entry >> 28 & 0xF), node)
    }
}
