extension Box {
    /// The smallest box over all points, or nil for none. The longitudes leave out the widest gap between two
    /// neighbouring meridians; points at a pole ask for their latitude only.
    package init?(around points: some Sequence<Coordinate>) {
        var south = Int32.max
        var north = Int32.min
        var meridians: [Int32] = []
        var poleMeridian: Int32 = 0
        for point in points {
            south = min(south, point.latitudeE7)
            north = max(north, point.latitudeE7)
            let isPole = point.latitudeE7.magnitude == Coordinate.quarterE7.magnitude
            if isPole { poleMeridian = point.longitudeE7 } else { meridians.append(point.longitudeE7) }
        }
        guard south <= north else { return nil }
        let (west, east) = Self.smallestSpan(of: meridians.isEmpty ? [poleMeridian] : meridians)
        self.init(southE7: south, westE7: west, northE7: north, eastE7: east)
    }

    /// The shortest arc of meridians that holds all of the given ones; of equal arcs the one that does not cross
    /// the antimeridian, else the westernmost gap is left out.
    private static func smallestSpan(of meridians: [Int32]) -> (west: Int32, east: Int32) {
        let sorted = meridians.sorted()
        var best = (west: sorted[0], east: sorted[sorted.count - 1])
        var widest = ArcE7.fullTurn - (Int64(best.east) - Int64(best.west))
        for (left, right) in zip(sorted, sorted.dropFirst()) where Int64(right) - Int64(left) > widest {
            widest = Int64(right) - Int64(left)
            best = (west: right, east: left)
        }
        return best
    }
}
