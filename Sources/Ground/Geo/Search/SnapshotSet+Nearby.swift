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
        return SearchOutcome(truncated: scratch.cut(to: limit), progress)
    }
}

extension SnapshotSet {
    /// The places within a box in the wanted order, up to the limit; they are in `scratch.hits`.
    package func within(
        _ query: BoxQuery, using scratch: SearchScratch, checkpoint: (Int) throws -> Void = { _ in }
    ) throws -> SearchOutcome {
        try check(query.filter)
        switch query.order {
        case .distance(let centre):
            let nearest = try NearbyQuery(
                centre: centre, limit: query.limit, after: query.after, filter: query.filter)
            return try self.nearest(nearest, box: query.box, using: scratch, checkpoint: checkpoint)
        case .id:
            return try byID(query, scratch, checkpoint)
        }
    }

    private func byID(
        _ query: BoxQuery, _ scratch: SearchScratch, _ checkpoint: (Int) throws -> Void
    ) throws -> SearchOutcome {
        var progress = SearchProgress()
        scratch.clearHits()
        scratch.buffers.begin(wanted: 1, outer: 0, ratio: 1)
        let order = HitSorter(snapshots: snapshots, circle: Circle(centre: query.box.centre, radiusMetres: 0))
        var first = FirstByID(order: order, capacity: query.limit + 1, hits: scratch.hits)
        scratch.hits = []
        for source in layers.indices {
            let scan = BoxScan(box: query.box, after: query.after, filter: query.filter)
            try scan.search(layers[source], source: source, &scratch.buffers, &progress, checkpoint) { hit in
                try first.offer(hit)
            }
        }
        scratch.hits = try first.sorted()
        return SearchOutcome(truncated: scratch.cut(to: query.limit), progress)
    }

    /// How many places lie within the box and pass the filter; order, limit and cursor are not looked at.
    package func count(
        within query: BoxQuery, using scratch: SearchScratch, checkpoint: (Int) throws -> Void = { _ in }
    ) throws -> Int {
        try check(query.filter)
        var progress = SearchProgress()
        var total = 0
        scratch.buffers.begin(wanted: 1, outer: 0, ratio: 1)
        let scan = BoxScan(box: query.box, after: nil, filter: query.filter)
        for source in layers.indices {
            try scan.search(layers[source], source: source, &scratch.buffers, &progress, checkpoint) { _ in total += 1 }
        }
        return total
    }
}

extension SnapshotSet {
    /// How many places lie within the radius and pass the filter; limit and cursor are not looked at. Without a
    /// filter whole branches of the tree inside of the circle are counted without being visited.
    package func count(
        _ query: NearbyQuery, using scratch: SearchScratch, checkpoint: (Int) throws -> Void = { _ in }
    ) throws -> Int {
        try check(query.filter)
        let circle = Circle(centre: query.centre, radiusMetres: query.radiusMetres)
        if let metric = FlatMetric(centre: query.centre, radiusMetres: query.radiusMetres) {
            return try count(CountScan(metric: metric, circle: circle, filter: query.filter), scratch, checkpoint)
        }
        let metric = SphereMetric(centre: query.centre, radiusMetres: query.radiusMetres)
        return try count(CountScan(metric: metric, circle: circle, filter: query.filter), scratch, checkpoint)
    }

    private func count(
        _ scan: CountScan<some SearchMetric>, _ scratch: SearchScratch, _ checkpoint: (Int) throws -> Void
    ) throws -> Int {
        var progress = SearchProgress()
        var total = 0
        scratch.buffers.begin(wanted: 1, outer: scan.metric.outerKey, ratio: scan.metric.ratio)
        for source in layers.indices {
            total += try scan.count(layers[source], source: source, &scratch.buffers, &progress, checkpoint)
        }
        return total
    }
}
