import FoundationEssentials
import VectorTiles

/// `index.json` of the map's data: which sets there are.
struct MapIndex: Decodable {
    let sets: [MapSet]

    struct MapSet: Decodable {
        let name: String
        let attribution: String
        /// Names that are written on the map.
        let labels: [Labels]?
        /// Nil for a set that has no tiles.
        let tiles: Tiles?
    }

    /// The archive of a set, which is beside the index with the set's name.
    struct Tiles: Decodable {
        let edition: String
        /// West, south, east, north.
        let box: [Double]
        /// The first and the last zoom level.
        let zooms: [Int]
    }

    struct Labels: Decodable {
        let name: String
        let file: String
    }

    init(_ bytes: [UInt8]) throws(MapProblem) {
        do {
            self = try JSONDecoder().decode(MapIndex.self, from: Data(bytes))
        } catch {
            throw .unreadable("index.json is no index of a map")
        }
    }
}

/// A name on the map.
package struct MapLabel: Equatable, Sendable {
    let name: String
    let point: MapPoint
    /// In the lists of the map's data from 1, the most important; of a town of the table how many people live there.
    let rank: Int

    /// A file of `[name, latitude, longitude, rank]`.
    static func read(_ bytes: [UInt8], _ name: String) throws(MapProblem) -> [MapLabel] {
        do {
            return try JSONDecoder().decode([Row].self, from: Data(bytes)).map(\.label)
        } catch {
            throw .unreadable("\(name) is no list of names")
        }
    }

    private struct Row: Decodable {
        let label: MapLabel

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            let name = try row.decode(String.self)
            let latitude = min(90, max(-90, try row.decode(Double.self)))
            let point = MapPoint(longitude: min(180, max(-180, try row.decode(Double.self))), latitude: latitude)
            label = MapLabel(name: name, point: point, rank: try row.decode(Int.self))
        }
    }
}

extension MapTileSet {
    /// Nil for a set that has no tiles, or a box or zoom levels that can't be.
    init?(_ set: MapIndex.MapSet) {
        guard let tiles = set.tiles, tiles.box.count == 4, tiles.zooms.count == 2,
            (0...TileID.lastZoom).contains(tiles.zooms[0]),
            (tiles.zooms[0]...TileID.lastZoom).contains(tiles.zooms[1])
        else { return nil }
        self.init(
            dataset: set.name, version: tiles.edition, attribution: set.attribution,
            zooms: tiles.zooms[0]...tiles.zooms[1],
            southWest: MapPoint(longitude: tiles.box[0], latitude: tiles.box[1]),
            northEast: MapPoint(longitude: tiles.box[2], latitude: tiles.box[3]))
    }
}
