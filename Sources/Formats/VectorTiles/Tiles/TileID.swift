import Bytes

/// A square of the map: the world is 2^zoom of them wide, counted from the west and from the north.
package struct TileID: Hashable, Sendable {
    /// The closest zoom level that is numbered here.
    package static let lastZoom = 22

    package let zoom: Int
    package let x: Int
    package let y: Int

    /// Nil when there is no such tile.
    package init?(zoom: Int, x: Int, y: Int) {
        guard (0...Self.lastZoom).contains(zoom), (0..<1 << zoom).contains(x), (0..<1 << zoom).contains(y) else {
            return nil
        }
        self.init(z: zoom, x, y)
    }

    private init(z: Int, _ x: Int, _ y: Int) {
        zoom = z
        self.x = x
        self.y = y
    }

    /// The whole world.
    package static let world = TileID(z: 0, 0, 0)

    /// The tile of a zoom level that a point is in; one at its edge for points outside of the world.
    package init(_ point: WorldPoint, zoom: Int) {
        let size = 1 << zoom
        func place(_ value: Double) -> Int { Int(min(max(value * Double(size), 0), Double(size - 1))) }
        self.init(z: zoom, place(point.x), place(point.y))
    }

    package var box: WorldBox {
        let width = 1 / Double(1 << zoom)
        return WorldBox(
            west: Double(x) * width, north: Double(y) * width, east: Double(x + 1) * width, south: Double(y + 1) * width
        )
    }

    /// Its quarters; none at the last zoom level.
    package var children: [TileID] {
        guard zoom < Self.lastZoom else { return [] }
        return [(0, 0), (1, 0), (0, 1), (1, 1)].map { TileID(z: zoom + 1, 2 * x + $0, 2 * y + $1) }
    }

    /// Its number in a PMTiles archive: all tiles of lower zoom levels come before, those of one zoom level along
    /// Hilbert's curve.
    package var number: UInt64 {
        var (column, row, distance) = (x, y, UInt64(0))
        var half = zoom > 0 ? 1 << (zoom - 1) : 0
        while half > 0 {
            let (right, down) = (column & half > 0, row & half > 0)
            let quarter: UInt64 = down ? (right ? 2 : 1) : (right ? 3 : 0)
            distance += UInt64(half) * UInt64(half) * quarter
            Self.turn(half, &column, &row, right: right, down: down)
            half >>= 1
        }
        return Self.before(zoom) + distance
    }

    /// The tile of a number; nil beyond the last zoom level.
    package init?(number: UInt64) {
        guard let zoom = (0...Self.lastZoom).last(where: { Self.before($0) <= number }),
            number < Self.before(zoom + 1)
        else { return nil }
        var (column, row, rest) = (0, 0, number - Self.before(zoom))
        for half in (0..<zoom).map({ 1 << $0 }) {
            let right = rest / 2 & 1 == 1
            let down = (rest & 1 == 1) != right
            Self.turn(half, &column, &row, right: right, down: down)
            if right { column += half }
            if down { row += half }
            rest /= 4
        }
        self.init(z: zoom, column, row)
    }

    /// How many tiles the lower zoom levels have.
    private static func before(_ zoom: Int) -> UInt64 { ((1 << UInt64(2 * zoom)) - 1) / 3 }

    /// Turns a quarter of the curve so that it fits to its neighbours.
    private static func turn(_ half: Int, _ x: inout Int, _ y: inout Int, right: Bool, down: Bool) {
        guard !down else { return }
        if right {
            x = half - 1 - (x & (half - 1))
            y = half - 1 - (y & (half - 1))
        } else {
            x &= half - 1
            y &= half - 1
        }
        swap(&x, &y)
    }
}
