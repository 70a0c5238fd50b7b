import Glibc
package import VectorTiles

/// The map of a dataset, or a bundled one, of which a picture may show a part.
package struct MapTileSet: Hashable, Sendable {
    package let dataset: String
    /// Names the edition of its map.
    package let version: String
    /// What has to be shown with it.
    package let attribution: String
    package let zooms: ClosedRange<Int>
    /// Whether it is another's, with the words of others; its tiles are made to be drawn twice as wide.
    package let isForeign: Bool
    /// Degrees, as longitudes and latitudes.
    private let west: Double
    private let south: Double
    private let east: Double
    private let north: Double

    package init(
        dataset: String, version: String, attribution: String, zooms: ClosedRange<Int>, southWest: MapPoint,
        northEast: MapPoint, isForeign: Bool = false
    ) {
        self.dataset = dataset
        self.version = version
        self.attribution = attribution
        self.zooms = zooms
        self.isForeign = isForeign
        (west, south) = (southWest.longitude, southWest.latitude)
        (east, north) = (northEast.longitude, northEast.latitude)
    }

    var box: MapBox { MapBox(west: west, south: south, east: east, north: north) }
}

/// The tiles of a set that a picture shows.
package struct MapTiles: Sendable {
    package let set: MapTileSet
    /// In gzip, as archives have them.
    let tiles: [(id: TileID, bytes: [UInt8])]
    /// Of named things that only a close look needs.
    let details: [(id: TileID, bytes: [UInt8])]

    package init(
        _ set: MapTileSet, _ tiles: [(id: TileID, bytes: [UInt8])], details: [(id: TileID, bytes: [UInt8])] = []
    ) {
        self.set = set
        self.tiles = tiles
        self.details = details
    }
}

extension MapView {
    /// The zoom from which on pictures have the maps of datasets; farther away the world's lines are better.
    private static let tilesFrom = 8.0
    /// The level from which on they have what only a close look needs, as on the web's map.
    private static let detailsFrom = 16
    private static let maximumTiles = 48

    /// The tiles of a set that the picture shows; none when it shows nothing of it, or too much of the world.
    package func tiles(of set: MapTileSet) -> [TileID] {
        tiles(of: set, zooms: set.zooms, level: projection.level - (set.isForeign ? 1 : 0))
    }

    /// The tiles with what a close look needs, which are one level closer; none from afar.
    package func details(of set: MapTileSet) -> [TileID] {
        let zoom = set.zooms.upperBound + 1
        guard !set.isForeign, projection.level >= Self.detailsFrom, zoom <= TileID.lastZoom else { return [] }
        return tiles(of: set, zooms: zoom...zoom, level: zoom)
    }

    private func tiles(of set: MapTileSet, zooms: ClosedRange<Int>, level: Int) -> [TileID] {
        let projection = projection
        guard projection.zoom >= Self.tilesFrom, abs(latitude) < 85 else { return [] }
        let (view, box) = (projection.box(margin: 0), set.box)
        let northWest = WorldPoint(latitude: min(view.north, box.north), longitude: max(view.west, box.west))
        let southEast = WorldPoint(latitude: max(view.south, box.south), longitude: min(view.east, box.east))
        guard northWest.x < southEast.x, northWest.y < southEast.y else { return [] }
        var zoom = min(max(level, zooms.lowerBound), zooms.upperBound)
        while true {
            let (first, last) = (TileID(northWest, zoom: zoom), TileID(southEast, zoom: zoom))
            let (columns, rows) = (first.x...max(first.x, last.x), first.y...max(first.y, last.y))
            if columns.count * rows.count <= Self.maximumTiles {
                return rows.flatMap { y in columns.compactMap { x in TileID(zoom: zoom, x: x, y: y) } }
            }
            guard zoom > zooms.lowerBound else { return [] }
            zoom -= 1
        }
    }

    /// Tiles of the world's lines that one picture has.
    private static let maximumWorldTiles = 128

    /// The tiles of an archive of the whole world that the picture shows, at the antimeridian those of both sides. They
    /// are as fine as its middle needs where a degree is widest.
    func worldTiles(zooms: ClosedRange<Int>) -> [TileID] {
        let view = projection.box(margin: 12)
        let widest = view.south < 0 && view.north > 0 ? 0 : min(abs(view.south), abs(view.north), 85)
        // They are made to be drawn 512 points wide.
        let level = Int((projection.zoom - 1 + log2(cos(widest * .pi / 180))).rounded())
        var zoom = min(max(level, zooms.lowerBound), zooms.upperBound)
        while true {
            let size = Double(1 << zoom)
            let west = Int(((view.west / 360 + 0.5) * size).rounded(.down))
            let east = Int(((view.east / 360 + 0.5) * size).rounded(.down))
            let columns = west..<min(east + 1, west + (1 << zoom))
            let north = TileID(WorldPoint(latitude: view.north, longitude: 0), zoom: zoom).y
            let south = TileID(WorldPoint(latitude: view.south, longitude: 0), zoom: zoom).y
            if zoom == zooms.lowerBound || columns.count * (south - north + 1) <= Self.maximumWorldTiles {
                return (north...max(north, south)).flatMap { y in
                    columns.compactMap { TileID(zoom: zoom, x: $0 & ((1 << zoom) - 1), y: y) }
                }
            }
            zoom -= 1
        }
    }
}
