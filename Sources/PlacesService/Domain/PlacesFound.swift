import Geo

/// What a search found, beside the hits, which are in the scratch.
struct PlacesFound {
    var isTruncated = false
    var count: Int?
    /// Why there are no hits.
    var emptiness: Emptiness?
    /// Nil when nothing had to be searched.
    var outcome: SearchOutcome?

    /// Why a search around a point found nothing.
    struct Emptiness {
        enum Reason { case noData, filter, radius, lastPage }
        let reason: Reason
        /// The nearest place of the datasets asked for, whatever the filter.
        var nearest: Hit?
    }
}
