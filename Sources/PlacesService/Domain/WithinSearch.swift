import Geo

/// Answers a question for a box from one view of the catalog; synchronous as `NearbySearch` is.
struct WithinSearch {
    let question: WithinQuestion
    let view: CatalogView
    let scratch: SearchScratch

    /// Runs the search. `checkpoint` is called with the candidates tested so far and ends the search by throwing.
    func find(checkpoint: (Int) throws -> Void) throws -> PlacesFound {
        let sources = question.criteria.sources(in: view)
        let query = try BoxQuery(
            box: question.box, order: question.nearestTo.map { .distance(from: $0) } ?? .id, limit: question.limit,
            after: question.after, filter: try question.criteria.resolved(view, sources))
        var found = PlacesFound()
        if question.wantsCount {
            found.count = try view.set.count(within: query, using: scratch, checkpoint: checkpoint)
        }
        let outcome = try view.set.within(query, using: scratch, checkpoint: checkpoint)
        found.isTruncated = outcome.truncated
        found.outcome = outcome
        return found
    }
}
