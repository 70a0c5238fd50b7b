import PlaceContracts
import Wire

@testable import PlacesService

/// A small .osm.pbf with things to draw, for tests: nodes by their places, ways and relations by their tags.
struct MapFile {
    typealias Tags = [(String, String)]

    private var texts = BlockTexts()
    private var nodeTags: [[Int32]] = []
    private var nodeIDs: [Int64] = []
    private var latitudes: [Int64] = []
    private var longitudes: [Int64] = []
    private var ways: [PbfWay] = []
    private var wayNodes: [[Int64]] = []
    private var relations: [PbfRelation] = []

    /// Adds a node at degrees; gives its id.
    @discardableResult
    mutating func node(_ latitude: Double, _ longitude: Double, _ tags: Tags = []) -> Int64 {
        nodeIDs.append(Int64(nodeIDs.count + 1))
        latitudes.append(Int64((latitude * 1e7).rounded()))
        longitudes.append(Int64((longitude * 1e7).rounded()))
        nodeTags.append(tags.flatMap { [Int32(texts.number($0.0)), Int32(texts.number($0.1))] })
        return Int64(nodeIDs.count)
    }

    /// Adds a way through new nodes; gives its id.
    @discardableResult
    mutating func way(_ points: [(Double, Double)], closed: Bool = false, _ tags: Tags = []) -> Int64 {
        var ids = points.map { node($0.0, $0.1) }
        if closed { ids.append(ids[0]) }
        return way(through: ids, tags)
    }

    @discardableResult
    mutating func way(through ids: [Int64], _ tags: Tags = []) -> Int64 {
        ways.append(
            PbfWay(
                id: Int64(ways.count + 1), keys: texts.numbers(tags.map(\.0)), values: texts.numbers(tags.map(\.1)),
                nodes: PBFFile.distances(ids)))
        wayNodes.append(ids)
        return Int64(ways.count)
    }

    /// Lets ways hold the positions of their nodes, which are left out then unless they have tags, as
    /// `osmium add-locations-to-ways` does.
    var hasLocationsOnWays = false
    /// What its header says was cut out of the world.
    var box: PbfBox?

    /// Adds a relation of ways.
    mutating func relation(_ members: [(way: Int64, role: String)], _ tags: Tags) {
        relations.append(
            PbfRelation(
                id: Int64(relations.count + 1), keys: texts.numbers(tags.map(\.0)),
                values: texts.numbers(tags.map(\.1)), roles: texts.numbers(members.map(\.role)).map { Int32($0) },
                members: PBFFile.distances(members.map(\.way)), kinds: members.map { _ in 1 }))
    }

    /// Adds a relation of nodes.
    mutating func relation(nodes: [Int64], _ tags: Tags) {
        relation(nodes.map { ($0, "stop") }, tags)
        relations[relations.count - 1].kinds = nodes.map { _ in 0 }
    }

    /// The file: nodes, ways and relations in blobs of their own, as other programs write it.
    var bytes: [UInt8] {
        let kept = nodeIDs.indices.filter { !hasLocationsOnWays || !nodeTags[$0].isEmpty }
        let dense = PbfDenseNodes(
            ids: PBFFile.distances(kept.map { nodeIDs[$0] }), latitudes: PBFFile.distances(kept.map { latitudes[$0] }),
            longitudes: PBFFile.distances(kept.map { longitudes[$0] }), tags: kept.flatMap { nodeTags[$0] + [0] })
        var ways = ways
        for index in ways.indices where hasLocationsOnWays {
            let nodes = wayNodes[index].map { Int($0) - 1 }
            ways[index].latitudes = PBFFile.distances(nodes.map { latitudes[$0] })
            ways[index].longitudes = PBFFile.distances(nodes.map { longitudes[$0] })
        }
        var file = PBFFile(box: box)
        for group in [PbfGroup(dense: dense), PbfGroup(ways: ways), PbfGroup(relations: relations)] {
            file.add(PbfBlock(texts: PbfTexts(texts: texts.texts), groups: [group]))
        }
        return file.bytes
    }

    /// A town at 10° north 20° east with one thing of each kind, a kilometre wide, at a coast in its south.
    static var town: MapFile {
        var file = MapFile()
        file.node(
            10.005, 20.005, [("place", "town"), ("name", "Stad"), ("name:fi", "Kaupunki"), ("population", "900")])
        file.node(10.004, 20.004, [("amenity", "cafe"), ("name", "Café")])
        for step in 0...10 {
            let place = Double(step) / 1000
            file.way(
                [(10.001 + place / 2, 20), (10.001 + place / 2, 20.01)],
                [
                    ("highway", step == 5 ? "primary" : "residential"), ("name", "Street \(step)"),
                    ("name:fi", "Katu \(step)"),
                ]
            )
        }
        file.way([(10.002, 20.002), (10.002, 20.0024), (10.0023, 20.0024)], closed: true, [("building", "yes")])
        file.way([(10.0015, 20), (10.0015, 20.01)], [("railway", "rail")])
        file.way([(10.008, 20.001), (10.009, 20.009)], [("waterway", "river")])
        file.way([(10.0, 20.0), (10.0, 20.01)], [("natural", "coastline")])
        let outer = [(10.006, 20.006), (10.006, 20.007), (10.007, 20.007), (10.007, 20.006)].map {
            file.node($0.0, $0.1)
        }
        let halves = [file.way(through: Array(outer[0...2])), file.way(through: [outer[2], outer[3], outer[0]])]
        let lake = file.way([(10.0063, 20.0063), (10.0063, 20.0066), (10.0066, 20.0066)], closed: true)
        file.relation(
            [(halves[0], "outer"), (halves[1], "outer"), (lake, "inner")],
            [("type", "multipolygon"), ("leisure", "park"), ("name", "Park")])
        return file
    }
}
