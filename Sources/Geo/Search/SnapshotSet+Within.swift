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
        let truncated = scratch.hits.count > query.limit
        if truncated { scratch.hits.removeLast() }
        return SearchOutcome(truncated: truncated, progress)
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
