import Geo

/// Answers a question from one view of the catalog. Plain synchronous code: whoever calls it decides on which thread,
/// and how long, by the checkpoint.
struct NearbySearch {
    let question: NearbyQuestion
    let view: CatalogView
    let scratch: SearchScratch

    /// Runs the search. `checkpoint` is called with the candidates tested so far and ends the search by throwing.
    func find(checkpoint: (Int) throws -> Void) throws -> PlacesFound {
        let sources = question.criteria.sources(in: view)
        guard view.hasPlaces(in: sources) else {
            return PlacesFound(count: question.wantsCount ? 0 : nil, emptiness: .init(reason: .noData))
        }
        let query = try NearbyQuery(
            centre: question.centre, radiusMetres: question.radiusMetres, limit: question.limit, after: question.after,
            filter: try question.criteria.resolved(view, sources))
        var found = PlacesFound()
        if question.wantsCount { found.count = try view.set.count(query, using: scratch, checkpoint: checkpoint) }
        let outcome = try view.set.nearby(query, using: scratch, checkpoint: checkpoint)
        found.isTruncated = outcome.truncated
        found.outcome = outcome
        if scratch.hits.isEmpty { found.emptiness = try emptiness(sources, checkpoint) }
        return found
    }

    /// Tells why nothing was found: the nearest place of these datasets lies beyond the radius, or the filter holds
    /// everything back that lies within.
    private func emptiness(
        _ sources: [Bool], _ checkpoint: (Int) throws -> Void
    ) throws -> PlacesFound.Emptiness {
        if question.after != nil { return .init(reason: .lastPage) }
        let filter = sources.contains(false) ? try unsafe view.set.resolve(PlaceFilter(sources: sources)) : nil
        let anywhere = try NearbyQuery(centre: question.centre, limit: 1, filter: filter)
        _ = try view.set.nearby(anywhere, using: scratch, checkpoint: checkpoint)
        guard let nearest = scratch.hits.first else { return .init(reason: .noData) }
        let isWithin = nearest.metres <= question.radiusMetres
        return .init(reason: isWithin ? .filter : .radius, nearest: nearest)
    }
}
