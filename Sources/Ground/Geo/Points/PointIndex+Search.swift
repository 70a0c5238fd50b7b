/// What a search for points has found.
package struct PointsFound: Sendable {
    /// Nearest first, equally near ones by id. All that are as near as the last one that was asked for are among them,
    /// so that there may be more than were asked for.
    package let hits: [PointHit]
    /// Whether more points are within the radius than were asked for.
    package let isTruncated: Bool
    /// Nodes of the trees that were looked at.
    package let visited: Int
    /// Points whose distance was looked at.
    package let tested: Int
}

extension PointIndex {
    private static let firstTryMetres = 20_000.0

    /// The nearest points of some indexes within a radius, at least `limit` (1 or more) if there are so many. The same
    /// id must not be in two of them. `checkpoint` is called with the number of points tested so far, once per 4,096,
    /// and ends the search by throwing.
    package static func nearest(
        in indexes: [PointIndex], to centre: Coordinate, radiusMetres: Double, limit: Int, using scratch: SearchScratch,
        checkpoint: (Int) throws -> Void = { _ in }
    ) throws -> PointsFound {
        let isWide = radiusMetres > FlatMetric.maximumRadiusMetres
        let flat = Circle(centre: centre, radiusMetres: isWide ? firstTryMetres : radiusMetres)
        var progress = SearchProgress()
        if let metric = FlatMetric(centre: centre, radiusMetres: flat.radiusMetres) {
            let scan = NearestScan(metric: metric, circle: flat, after: nil, box: nil, filter: nil)
            let found = try run(scan, indexes, limit, scratch, &progress, checkpoint)
            // If the small circle is full, nothing outside of it can be nearer.
            if found.isTruncated || !isWide { return found }
        }
        let circle = Circle(centre: centre, radiusMetres: radiusMetres)
        let metric = SphereMetric(centre: centre, radiusMetres: min(radiusMetres, 2 * Distance.halfGirthMetres))
        let scan = NearestScan(metric: metric, circle: circle, after: nil, box: nil, filter: nil)
        return try run(scan, indexes, limit, scratch, &progress, checkpoint)
    }

    /// Searches for one more than the limit: its existence is what `isTruncated` means. No point that is as near as
    /// one of these is beyond the bound.
    private static func run(
        _ scan: NearestScan<some SearchMetric>, _ indexes: [PointIndex], _ limit: Int, _ scratch: SearchScratch,
        _ progress: inout SearchProgress, _ checkpoint: (Int) throws -> Void
    ) throws -> PointsFound {
        precondition(limit > 0, "a search needs room for a point")
        scratch.buffers.begin(wanted: limit + 1, outer: scan.metric.outerKey, ratio: scan.metric.ratio)
        var layers: [PointLayer] = []
        for index in indexes {
            for (number, layer) in index.layers.enumerated() {
                try scan.search(layer.tree, source: layers.count, &scratch.buffers, &progress, checkpoint) { ordinal in
                    index.counts(layer.ids[ordinal], inLayer: number)
                }
                layers.append(layer)
            }
        }
        let hits = sorted(&scratch.buffers, layers, scan.circle)
        let isTruncated = hits.count > limit
        let reach = isTruncated ? hits[limit - 1].metres : .infinity
        return PointsFound(
            hits: isTruncated ? Array(hits.prefix { $0.metres <= reach }) : hits, isTruncated: isTruncated,
            visited: progress.visited, tested: progress.tested)
    }

    private static func sorted(
        _ buffers: inout SearchBuffers, _ layers: [PointLayer], _ circle: Circle
    ) -> [PointHit] {
        buffers.dropBeyondBound()
        var hits: [PointHit] = []
        hits.reserveCapacity(buffers.count)
        for index in 0..<buffers.count {
            let candidate = unsafe buffers.candidates[index]
            let (layer, ordinal) = (layers[Int(candidate.source)], Int(candidate.ordinal))
            let position = layer.tree.point(ordinal)
            hits.append(PointHit(id: layer.ids[ordinal], position: position, metres: circle.metres(to: position)))
        }
        hits.sort()
        return hits
    }
}

extension NearestScan {
    /// The same search over points: those within the radius that count.
    fileprivate func search(
        _ tree: SnapshotTree, source: Int, _ buffers: inout SearchBuffers, _ progress: inout SearchProgress,
        _ checkpoint: (Int) throws -> Void, counts: (Int) -> Bool
    ) throws {
        guard tree.height > 0 else { return }
        expand(tree, level: tree.height - 1, group: 0, &buffers)
        while let next = buffers.pop() {
            guard next.key <= buffers.bound else { continue }
            progress.visited += 1
            guard next.level == 0 else {
                expand(tree, level: next.level - 1, group: next.node, &buffers)
                continue
            }
            try progress.add(tree.places(inBlock: next.node), checkpoint)
            var kept = sift(tree, block: next.node, source: source, &buffers)
            for index in kept..<buffers.count {
                let candidate = unsafe buffers.candidates[index]
                let ordinal = Int(candidate.ordinal)
                guard candidate.key <= metric.innerKey || circle.contains(tree.point(ordinal)), counts(ordinal) else {
                    continue
                }
                unsafe buffers.candidates[kept] = candidate
                buffers.tally(kept)
                kept += 1
            }
            buffers.count = kept
            buffers.refine()
        }
    }
}

extension PointIndex {
    /// Calls `body` with each point of a box, in no particular order.
    package func forEach(in box: Box, _ body: (IndexedPoint) throws -> Void) rethrows {
        for (index, layer) in layers.enumerated() {
            try layer.tree.forEachPoint(in: box) { ordinal, position in
                let id = layer.ids[ordinal]
                if counts(id, inLayer: index) { try body(IndexedPoint(id, at: position)) }
            }
        }
    }
}

extension SnapshotTree {
    fileprivate func forEachPoint(in box: Box, _ body: (Int, Coordinate) throws -> Void) rethrows {
        if height > 0 { try forEachPoint(in: box, level: height - 1, group: 0, body) }
    }

    private func forEachPoint(
        in box: Box, level: Int, group: Int, _ body: (Int, Coordinate) throws -> Void
    ) rethrows {
        for lane in 0..<nodes(inGroup: group, level: level) {
            guard box.mayTouch(unsafe BlockBounds(self.group(group, level: level), lane)) else { continue }
            let node = group * SnapshotLayout.groupNodes + lane
            guard level == 0 else {
                try forEachPoint(in: box, level: level - 1, group: node, body)
                continue
            }
            let first = node * SnapshotLayout.blockPlaces
            for ordinal in first..<(first + places(inBlock: node)) where box.contains(point(ordinal)) {
                try body(ordinal, point(ordinal))
            }
        }
    }
}
