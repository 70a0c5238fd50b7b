import Geo

/// Answers a question from one view of the catalog. Plain synchronous code: whoever calls it decides on which thread,
/// and how long, by the checkpoint.
struct NearbySearch {
    /// What was found, beside the hits, which are in the scratch.
    struct Finding {
        var isTruncated = false
        var count: Int?
        var emptiness: Emptiness?
    }

    /// Why there are no hits.
    struct Emptiness {
        enum Reason { case noData, filter, radius, lastPage }
        let reason: Reason
        /// The nearest place of the datasets asked for, whatever the filter.
        var nearest: Hit?
    }

    let question: NearbyQuestion
    let view: CatalogView
    let scratch: SearchScratch

    /// Runs the search. `checkpoint` is called with the candidates tested so far and ends the search by throwing.
    func find(checkpoint: (Int) throws -> Void) throws -> Finding {
        let sources = selectedSources
        guard zip(view.datasets, sources).contains(where: { $1 && $0.snapshot.count > 0 }) else {
            return Finding(count: question.wantsCount ? 0 : nil, emptiness: Emptiness(reason: .noData))
        }
        let query = try query(filter: try resolved(sources))
        var finding = Finding()
        if question.wantsCount { finding.count = try view.set.count(query, using: scratch, checkpoint: checkpoint) }
        finding.isTruncated = try view.set.nearby(query, using: scratch, checkpoint: checkpoint).truncated
        if scratch.hits.isEmpty { finding.emptiness = try emptiness(sources, checkpoint) }
        return finding
    }

    private var selectedSources: [Bool] {
        guard question.asksCatalog else { return view.datasets.map { _ in false } }
        return view.datasets.map { question.datasets.isEmpty || question.datasets.contains($0.name) }
    }

    private func query(filter: ResolvedFilter?) throws -> NearbyQuery {
        try NearbyQuery(
            centre: question.centre, radiusMetres: question.radiusMetres, limit: question.limit, after: question.after,
            filter: filter)
    }

    private func resolved(_ sources: [Bool]) throws -> ResolvedFilter? {
        guard question.hasFilter || sources.contains(false) else { return nil }
        return try view.set.resolve(
            unsafe PlaceFilter(
                include: question.categories, exclude: question.excludedCategories,
                sources: sources.contains(false) ? sources : nil, accepts: acceptance))
    }

    private var acceptance: PlaceFilter.Acceptance? {
        let name = question.name
        guard !name.words.isEmpty else { return nil }
        return { _, record in
            guard let text = unsafe StoredPlace.text(of: record) else { return false }
            return unsafe name.match(text)
        }
    }

    /// Tells why nothing was found: the nearest place of these datasets lies beyond the radius, or the filter holds
    /// everything back that lies within.
    private func emptiness(_ sources: [Bool], _ checkpoint: (Int) throws -> Void) throws -> Emptiness {
        if question.after != nil { return Emptiness(reason: .lastPage) }
        let filter = sources.contains(false) ? try unsafe view.set.resolve(PlaceFilter(sources: sources)) : nil
        let anywhere = try NearbyQuery(centre: question.centre, limit: 1, filter: filter)
        _ = try view.set.nearby(anywhere, using: scratch, checkpoint: checkpoint)
        guard let nearest = scratch.hits.first else { return Emptiness(reason: .noData) }
        let isWithin = nearest.metres <= question.radiusMetres
        return Emptiness(reason: isWithin ? .filter : .radius, nearest: nearest)
    }
}
