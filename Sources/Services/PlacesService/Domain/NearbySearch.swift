import Bytes
import Geo
import PlaceContracts

/// A search for places around a point, already validated.
struct NearbyQuestion: Sendable {
    let centre: Geo.Coordinate
    /// Infinite: any distance.
    let radiusMetres: Double
    let limit: Int
    /// Where the previous page ended; nil for the first page.
    var after: SearchCursor?
    var criteria = PlaceCriteria()
    var wantsCount = false

    /// Distinguishes queries whose pages must not be mixed; the limit may change from page to page.
    var fingerprint: UInt64 {
        var hash = StableHash()
        hash.add(centre)
        hash.add(radiusMetres.bitPattern)
        criteria.add(to: &hash)
        return hash.value
    }
}

/// A search for places within a box, already validated.
struct WithinQuestion: Sendable {
    let box: Geo.Box
    /// Nearest to this point first; nil: ordered by id.
    let nearestTo: Geo.Coordinate?
    let limit: Int
    /// Where the previous page ended; nil for the first page.
    var after: SearchCursor?
    var criteria = PlaceCriteria()
    var wantsCount = false

    /// Distinguishes queries whose pages must not be mixed; the limit may change from page to page.
    var fingerprint: UInt64 {
        var hash = StableHash()
        for edge in [box.southE7, box.westE7, box.northE7, box.eastE7] {
            hash.add(UInt64(bitPattern: Int64(edge)))
        }
        if let nearestTo { hash.add(nearestTo) }
        criteria.add(to: &hash)
        return hash.value
    }
}

/// Answers a query from one view of the catalog. Plain synchronous code: the caller decides on which thread, and by the
/// checkpoint for how long.
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
        if question.wantsCount {
            found.count = try found.counting(question.criteria, view, sources) { filter in
                let query = try NearbyQuery(
                    centre: question.centre, radiusMetres: question.radiusMetres, limit: question.limit, filter: filter)
                return try view.set.count(query, using: scratch, checkpoint: checkpoint)
            }
        }
        found.outcome = try view.set.nearby(query, using: scratch, checkpoint: checkpoint)
        if scratch.hits.isEmpty { found.emptiness = try emptiness(sources, checkpoint) }
        return found
    }

    /// Explains why nothing was found: the nearest place of these datasets is beyond the radius, or the filter excludes
    /// everything within it.
    private func emptiness(
        _ sources: [Bool], _ checkpoint: (Int) throws -> Void
    ) throws -> PlacesFound.Emptiness {
        if question.after != nil { return .init(reason: .lastPage) }
        let filter = try question.criteria.withoutConditions.resolved(view, sources)
        let anywhere = try NearbyQuery(centre: question.centre, limit: 1, filter: filter)
        _ = try view.set.nearby(anywhere, using: scratch, checkpoint: checkpoint)
        guard let nearest = scratch.hits.first else { return .init(reason: .noData) }
        let isWithin = nearest.metres <= question.radiusMetres
        return .init(reason: isWithin ? .filter : .radius, nearest: nearest)
    }
}

/// Answers a query for a box from one view of the catalog; synchronous like `NearbySearch`.
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
            found.count = try found.counting(question.criteria, view, sources) { filter in
                let query = try BoxQuery(box: question.box, order: .id, limit: question.limit, filter: filter)
                return try view.set.count(within: query, using: scratch, checkpoint: checkpoint)
            }
        }
        found.outcome = try view.set.within(query, using: scratch, checkpoint: checkpoint)
        return found
    }
}

/// What a search found, besides the hits, which are in the scratch.
struct PlacesFound {
    var count: Int?
    /// Of what matches all else, by what the hours say.
    var openCounts: OpenCounts?
    /// Why there are no hits.
    var emptiness: Emptiness?
    /// Nil when nothing had to be searched.
    var outcome: SearchOutcome?

    /// Counts what matches, and by what their hours say if that matters.
    mutating func counting(
        _ criteria: PlaceCriteria, _ view: CatalogView, _ sources: [Bool], _ count: (ResolvedFilter?) throws -> Int
    ) throws -> Int {
        var criteria = criteria
        let tally = criteria.open.map { _ in OpenTally() }
        criteria.open?.tally = tally
        let total = try count(try criteria.resolved(view, sources))
        openCounts = tally?.message
        return total
    }

    var isTruncated: Bool { outcome?.truncated ?? false }

    /// Why a search around a point found nothing.
    struct Emptiness {
        enum Reason { case noData, filter, radius, lastPage }
        let reason: Reason
        /// The nearest place of the requested datasets, whatever the filter.
        var nearest: Hit?
    }
}
