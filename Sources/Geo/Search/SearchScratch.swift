/// Memory that searches use again. Belongs to one search at a time: one per event loop, or one per call.
package final class SearchScratch {
    /// The hits of the last search, in its order; the next search with this scratch replaces them.
    package internal(set) var hits: [Hit] = []
    var spans: [SnapshotRecords.Span] = []
    var buffers = SearchBuffers()

    package init() {}

    /// Makes the hits empty; the memory of an uncommonly long list is given back.
    func clearHits() { hits.removeAll(keepingCapacity: hits.capacity <= 65_536) }
}
