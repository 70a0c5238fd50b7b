extension SnapshotSet {
    /// The places within the radius, nearest first, up to the limit; they are in `scratch.hits`.
    package func nearby(
        _ query: NearbyQuery, using scratch: SearchScratch, checkpoint: (Int) throws -> Void = { _ in }
    ) throws -> SearchOutcome {
        try check(query.filter)
        return try nearest(query, box: nil, using: scratch, checkpoint: checkpoint)
    }

    /// A wide search is tried in a small circle first: if that is full, nothing outside of it can be nearer.
    func nearest(
        _ query: NearbyQuery, box: Box?, using scratch: SearchScratch, checkpoint: (Int) throws -> Void
    ) throws -> SearchOutcome {
        let isWide = query.radiusMetres > FlatMetric.maximumRadiusMetres
        let flat = Circle(centre: query.centre, radiusMetres: isWide ? Self.firstTryMetres : query.radiusMetres)
        var progress = SearchProgress()
        if let metric = FlatMetric(centre: flat.centre, radiusMetres: flat.radiusMetres) {
            let scan = NearestScan(metric: metric, circle: flat, after: query.after, box: box, filter: query.filter)
            let outcome = try run(scan, query.limit, scratch, &progress, checkpoint)
            if outcome.truncated || !isWide { return outcome }
        }
        let circle = Circle(centre: query.centre, radiusMetres: query.radiusMetres)
        let metric = SphereMetric(centre: query.centre, radiusMetres: query.radiusMetres)
        let scan = NearestScan(metric: metric, circle: circle, after: query.after, box: box, filter: query.filter)
        return try run(scan, query.limit, scratch, &progress, checkpoint)
    }

    private static let firstTryMetres = 20_000.0

    /// Asks for one more than the limit: its existence is what `truncated` means.
    private func run(
        _ scan: NearestScan<some SearchMetric>, _ limit: Int, _ scratch: SearchScratch,
        _ progress: inout SearchProgress, _ checkpoint: (Int) throws -> Void
    ) throws -> SearchOutcome {
        scratch.clearHits()
        scratch.buffers.begin(wanted: limit + 1, outer: scan.metric.outerKey, ratio: scan.metric.ratio)
        for source in layers.indices {
            try scan.search(layers[source], source: source, &scratch.buffers, &progress, checkpoint)
        }
        try HitSorter(snapshots: snapshots, circle: scan.circle).sort(&scratch.buffers, into: &scratch.hits)
        let truncated = scratch.hits.count > limit
        if truncated { scratch.hits.removeLast(scratch.hits.count - limit) }
        return SearchOutcome(truncated: truncated, progress)
    }
}
