/// The bounding box of a node of the tree; never crosses the antimeridian, since the curve's plane doesn't.
struct BlockBounds {
    var south = Int32.max
    var north = Int32.min
    var west = Int32.max
    var east = Int32.min

    mutating func add(_ row: SnapshotBuilder.Row) {
        add(BlockBounds(south: row.latitudeE7, north: row.latitudeE7, west: row.longitudeE7, east: row.longitudeE7))
    }

    mutating func add(_ other: BlockBounds) {
        south = min(south, other.south)
        north = max(north, other.north)
        west = min(west, other.west)
        east = max(east, other.east)
    }
}
