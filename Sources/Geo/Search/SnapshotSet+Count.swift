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
