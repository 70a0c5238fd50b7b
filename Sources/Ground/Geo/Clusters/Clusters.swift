/// Points of a box that are shown as one mark.
package struct PointCluster<Item: Sendable>: Sendable {
    /// How many they are: at least 1.
    package let count: Int
    /// About their middle; of one alone, where it is.
    package let position: Coordinate
    /// A box that they lie in; nil when they are all at one point.
    package let box: Box?
    /// The one, when it is alone.
    package let item: Item?
    /// One of them; nil where those who counted did not say one.
    package let sample: Item?
}

/// Counts points by the squares of a map. The counts are exact: each point of the box is in one cluster.
package struct Clusters<Item: Sendable>: Sendable {
    private struct Square {
        var count = 0
        var latitudes: Int64 = 0
        var longitudes: Int64 = 0
        var bounds = BlockBounds()
        /// The preferred one, or which came first, of those that are known.
        var item: Item?
        var isPreferred = false
    }

    let box: Box
    let grid: ClusterGrid
    private var squares: [Square]

    /// Nothing is counted yet.
    /// - Parameter zoom: of the map, in which the world is 256 · 2^zoom pixels wide; a square has 64 pixels or, when
    ///   the box has too many of them, more.
    package init(in box: Box, zoom: Int) {
        self.box = box
        grid = ClusterGrid(box, zoom: zoom)
        squares = Array(repeating: Square(), count: grid.rows * grid.columns)
    }

    /// Counts a point, if it is in the box.
    package mutating func add(_ item: Item, at point: Coordinate) {
        if box.contains(point) { addInside(item, at: point) }
    }

    /// Counts a point of the box.
    mutating func addInside(_ item: Item, at point: Coordinate) {
        let square = grid.square(of: point)
        squares[square].count += 1
        squares[square].latitudes += Int64(point.latitudeE7)
        squares[square].longitudes += Int64(point.longitudeE7)
        squares[square].bounds.add(point)
        if squares[square].item == nil { squares[square].item = item }
    }

    /// Counts several points at once: all under a node that lies in the box and in one square.
    /// - Parameter sample: gives one of them; asked if none of the square is known.
    mutating func add<Failure: Error>(
        _ count: Int, in node: BlockBounds, square: Int, sample: () throws(Failure) -> Item?
    ) throws(Failure) {
        if squares[square].item == nil { squares[square].item = try sample() }
        squares[square].count += count
        let (latitude, longitude) = node.middle
        squares[square].latitudes += latitude * Int64(count)
        squares[square].longitudes += longitude * Int64(count)
        squares[square].bounds.add(node)
    }

    /// Makes one of the counted points what stands for those of its square, unless another one was preferred before.
    package mutating func prefer(_ item: Item, at point: Coordinate) {
        guard box.contains(point) else { return }
        let square = grid.square(of: point)
        guard squares[square].count > 0, !squares[square].isPreferred else { return }
        squares[square].isPreferred = true
        // One that is alone is known.
        if squares[square].count > 1 { squares[square].item = item }
    }

    /// How many points were counted.
    package var count: Int { squares.reduce(0) { $0 + $1.count } }

    /// The clusters, at most `maximum` (1 or more): squares are put together, four by four, until they are few enough.
    package func all(maximum: Int) -> [PointCluster<Item>] {
        var found = squares.filter { $0.count > 0 }
        var levels = 0
        while found.count > max(maximum, 1), levels < grid.level {
            levels += 1
            found = together(by: levels)
        }
        return found.map(Self.cluster)
    }

    private func together(by levels: Int) -> [Square] {
        var places: [SIMD2<Int64>: Int] = [:]
        var found: [Square] = []
        for (index, square) in squares.enumerated() where square.count > 0 {
            let parent = grid.parent(ofSquare: index, by: levels)
            let key = SIMD2(parent.row, parent.column)
            if let place = places[key] {
                found[place].count += square.count
                found[place].latitudes += square.latitudes
                found[place].longitudes += square.longitudes
                found[place].bounds.add(square.bounds)
                let isBetter = square.isPreferred && !found[place].isPreferred
                found[place].item = isBetter ? square.item : found[place].item ?? square.item
                found[place].isPreferred = found[place].isPreferred || square.isPreferred
            } else {
                places[key] = found.count
                found.append(square)
            }
        }
        return found
    }

    private static func cluster(_ square: Square) -> PointCluster<Item> {
        let (bounds, count) = (square.bounds, Int64(square.count))
        let position = Coordinate(
            uncheckedLatitudeE7: Int32(square.latitudes / count), longitudeE7: Int32(square.longitudes / count))
        let box = Box(southE7: bounds.south, westE7: bounds.west, northE7: bounds.north, eastE7: bounds.east)
        let isPoint = bounds.south == bounds.north && bounds.west == bounds.east
        return PointCluster(
            count: square.count, position: position, box: isPoint ? nil : box,
            item: square.count == 1 ? square.item : nil, sample: square.item)
    }
}

extension BlockBounds {
    /// In 1e-7 degrees.
    fileprivate var middle: (latitude: Int64, longitude: Int64) {
        ((Int64(south) + Int64(north)) / 2, (Int64(west) + Int64(east)) / 2)
    }
}

extension Box {
    /// Whether every point of a node lies in the box.
    func contains(_ node: BlockBounds) -> Bool {
        guard southE7 <= node.south, node.north <= northE7 else { return false }
        if widthE7 == ArcE7.fullTurn { return true }
        if crossesAntimeridian { return node.west >= westE7 || node.east <= eastE7 }
        return westE7 <= node.west && node.east <= eastE7
    }
}
