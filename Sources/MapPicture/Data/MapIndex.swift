import FoundationEssentials

/// `index.json` of the map's data: which sets and layers there are.
struct MapIndex: Decodable {
    let sets: [MapSet]

    struct MapSet: Decodable {
        let name: String
        let attribution: String
        /// West, south, east, north.
        private let box: [Double]
        let layers: [Layer]

        /// The set's box; nil when it is none.
        var area: MapBox? {
            guard box.count == 4 else { return nil }
            return MapBox(west: box[0], south: box[1], east: box[2], north: box[3])
        }
    }

    struct Layer: Decodable {
        let name: String
        let file: String
        /// Of files in cells: how wide and high one is.
        let degrees: Double?
        /// The cells' west and south: "-105_30".
        let cells: [String]?
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
