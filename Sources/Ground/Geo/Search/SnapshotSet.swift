/// Several snapshots searched as one. To replace one make a new set; searches under way keep the old one.
///
/// All searches are plain synchronous code that blocks on page faults only. Their order is (metres, id bytes, index
/// of the snapshot). `checkpoint` is called with the number of candidates tested so far, once per 4 096, and ends the
/// search by throwing.
package struct SnapshotSet: Sendable {
    /// Only its identity counts: it distinguishes a filter's set from others.
    private final class Generation: Sendable {}

    /// The searched snapshots; a hit's `source` is an index into them.
    package let snapshots: [Snapshot]
    package let layers: [SnapshotLayer]
    private let generation = Generation()

    /// A set of snapshots, possibly none.
    package init(_ snapshots: [Snapshot]) { self.init(snapshots.map { SnapshotLayer($0) }) }

    /// A set of snapshots of which some places don't count.
    package init(_ layers: [SnapshotLayer]) {
        self.layers = layers
        snapshots = layers.map(\.snapshot)
    }

    /// The number of places.
    package var count: Int { layers.reduce(0) { $0 + $1.count } }

    /// Turns a filter into tables; the first time for a snapshot the cost grows with the number of its distinct
    /// category sets.
    package func resolve(_ filter: PlaceFilter) throws(GeoError) -> ResolvedFilter {
        if let sources = filter.sources, sources.count != snapshots.count { throw .staleFilter }
        let verdicts = snapshots.indices.map { index in
            filter.verdicts(over: snapshots[index], isSearched: filter.sources?[index] ?? true)
        }
        return unsafe ResolvedFilter(
            generation: ObjectIdentifier(generation), verdicts: verdicts, accepts: filter.accepts)
    }

    /// Gives a hit's id and record bytes, straight from the mapped file and valid only inside of `body`.
    package func withPlace<R>(
        _ hit: Hit, _ body: (_ id: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        guard hit.source < snapshots.count else {
            throw GeoError.outOfRange(field: "source", value: "\(hit.source)", allowed: "below \(snapshots.count) is")
        }
        return try unsafe snapshots[Int(hit.source)].withPlace(hit.ordinal, body)
    }

    /// The cursor that continues after a hit.
    package func cursor(after hit: Hit) throws -> SearchCursor {
        let id = try unsafe withPlace(hit) { id, _ in unsafe Array(id) }
        return SearchCursor(metres: hit.metres, id: id)
    }

    /// Whether a place that was found has the categories that a filter lets through, and is of a snapshot that it does.
    package func admits(_ hit: Hit, _ filter: ResolvedFilter) throws(GeoError) -> Bool {
        try check(filter)
        guard filter.verdicts.indices.contains(Int(hit.source)) else { return false }
        let verdicts = filter.verdicts[Int(hit.source)]
        guard !verdicts.isEmpty else { return false }
        return try verdicts.allow(hit.ordinal, of: snapshots[Int(hit.source)])
    }

    func check(_ filter: ResolvedFilter?) throws(GeoError) {
        guard let filter else { return }
        guard filter.generation == ObjectIdentifier(generation) else { throw .staleFilter }
    }
}

/// Memory that searches use again. Belongs to one search at a time: one per event loop, or one per call.
package final class SearchScratch {
    /// The hits of the last search, in its order; the next search with this scratch replaces them.
    package internal(set) var hits: [Hit] = []
    var spans: [SnapshotRecords.Span] = []
    var buffers = SearchBuffers()

    package init() {}

    /// Makes the hits empty; the memory of an uncommonly long list is given back.
    func clearHits() { hits.removeAll(keepingCapacity: hits.capacity <= 65_536) }

    /// Drops the hits beyond a limit; says whether there were any.
    func cut(to limit: Int) -> Bool {
        guard hits.count > limit else { return false }
        hits.removeLast(hits.count - limit)
        return true
    }
}

/// Counts what a search does, and calls the checkpoint once per 4 096 tested candidates.
struct SearchProgress {
    static let interval = 4096
    /// Nodes of the trees looked at, blocks included.
    var visited = 0
    /// Places that were near enough and did not pass the filter.
    var filtered = 0
    private(set) var tested = 0
    private var next = SearchProgress.interval

    @inline(__always)
    mutating func add<Failure: Error>(
        _ candidates: Int, _ checkpoint: (Int) throws(Failure) -> Void
    ) throws(Failure) {
        tested += candidates
        if tested >= next { try pass(checkpoint) }
    }

    private mutating func pass<Failure: Error>(_ checkpoint: (Int) throws(Failure) -> Void) throws(Failure) {
        next = tested + Self.interval
        try checkpoint(tested)
    }
}
