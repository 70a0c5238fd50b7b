import PlaceContracts
import FeatureFiles
import Glibc
import TestTools
import Testing
import VectorTiles

@testable import PlacesService

/// WAYMARK_SEA_ROUNDS says how many extracts are looked at (15), WAYMARK_SEA_SEED with which one it begins.
@Suite("P75 The sea of an imported .osm.pbf")
struct SeaTests {
    private static func number(_ variable: String) -> Int? { getenv(variable).flatMap { Int(String(cString: $0)) } }

    /// The archive that the import of a file makes; nil when it makes none.
    static func map(of file: MapFile, in folder: TemporaryFolder) throws -> PMTilesFile? {
        try WholeFile.write(file.bytes, to: folder.file("a.osm.pbf"))
        let source = try FileSource(path: folder.file("a.osm.pbf"))
        let geometry = try OSMGeometry(folder: folder.path)
        let map = OSMMap(geometry, folder: folder.path)
        var rows = OSMRows(source, geometry, largestUpload: 1 << 30, map: map)
        var row = PlaceRow()
        while try rows.next(&row) != nil {}
        let path = folder.file("a.pmtiles")
        let summary = try map.write(to: path, attribution: "") { () throws(PlacesError) in }
        return summary == nil ? nil : try PMTilesFile(path: path)
    }

    /// The rings of the sea in the tiles of an archive, each tile read once.
    struct Sea {
        let map: PMTilesFile
        private var rings: [TileID: [[WorldPoint]]?] = [:]

        init(_ map: PMTilesFile) { self.map = map }

        /// Nil without the tile. Outer rings turn like a clock, and the holes of each follow it.
        mutating func rings(_ tile: TileID) throws -> [[WorldPoint]]? {
            if let known = rings[tile] { return known }
            let items = try map.tile(tile).map { try TileContent(packed: $0, at: tile).items }
            let found = items?.filter { $0.layer == "sea" }.flatMap(\.shape.parts)
            if let first = found?.first { #expect(Rings.area(first) > 0) }
            rings[tile] = .some(found)
            return found
        }

        /// How often the sea of a tile runs around a point; nil without the tile.
        mutating func turns(_ tile: TileID, around point: WorldPoint) throws -> Int? {
            try rings(tile)?.reduce(0) { sum, ring in
                Rings.contains(ring, point) ? sum + (Rings.area(ring) > 0 ? 1 : -1) : sum
            }
        }
    }

    @Test("is where the sea is, and nowhere else, in extracts by chance, at every zoom level")
    func property() throws {
        let first = Self.number("WAYMARK_SEA_SEED") ?? 1
        for seed in first..<first + (Self.number("WAYMARK_SEA_ROUNDS") ?? 15) {
            try look(seed: seed)
        }
    }

    private func look(seed: Int) throws {
        var numbers = SeededGenerator(seed: UInt64(seed))
        let world = MadeUpCoast(&numbers)
        let extract = MadeUpExtract(world, &numbers)
        let folder = TemporaryFolder()
        let says = """
            WAYMARK_SEA_SEED=\(seed) WAYMARK_SEA_ROUNDS=1: \(extract.fault), header \(extract.hasHeader), \
            complete \(extract.isComplete), far \(extract.hasFarCoast), \(extract.coastCount) coasts, \
            antimeridian \(extract.crossesAntimeridian)
            """
        guard let map = try Self.map(of: extract.file, in: folder) else {
            #expect(extract.coastCount == 0, "\(says): no map")
            return
        }
        var sea = Sea(map)
        // Where a coast is cut or has a fault, it is not known exactly.
        let doubt = MadeUpCoast.step * (extract.fault == .none ? 1 : 4)
        let known = extract.box.grown(by: (extract.hasHeader ? -2 : -16) * MadeUpCoast.step)
        for _ in 0..<20 {
            let point = extract.point(&numbers)
            let distance = world.distance(point)
            guard distance > doubt, known.contains(point) else { continue }
            let onMap = point.onMap
            let isSea = !world.isLand(point) && extract.knowsCoast(near: point)
            for zoom in 5...14 where distance > 2.5 / Double(256 << zoom) {
                for tile in Self.tiles(around: onMap, zoom) {
                    let turns = try sea.turns(tile, around: onMap)
                    guard let turns, turns != (isSea ? 1 : 0) else { continue }
                    Issue.record("\(says), \(turns) in \(tile) at \(onMap)")
                    return
                }
            }
        }
    }

    /// The tile that a point is in, and those in whose margin it lies.
    static func tiles(around point: WorldPoint, _ zoom: Int) -> [TileID] {
        let own = TileID(point, zoom: zoom)
        return (-1...1).flatMap { down in
            (-1...1).compactMap { TileID(zoom: zoom, x: own.x + $0, y: own.y + down) }
        }.filter { $0.box.grown(by: 11 / Double(256 << zoom)).contains(point) }
    }

    /// A town with streets all over an extract of a kilometre at 10° north 20° east.
    private static func town() -> MapFile {
        var file = MapFile()
        for step in 0...40 {
            let place = Double(step) / 4000
            file.way([(10 + place, 20), (10 + place, 20.005), (10 + place, 20.01)], [("highway", "residential")])
        }
        return file
    }

    private static func turns(
        _ file: MapFile, _ latitude: Double, _ longitude: Double, _ zooms: ClosedRange<Int> = 5...14
    ) throws -> Set<Int?> {
        let folder = TemporaryFolder()
        var sea = Sea(try #require(try map(of: file, in: folder)))
        let point = WorldPoint(latitude: latitude, longitude: longitude)
        return Set(try zooms.map { try sea.turns(TileID(point, zoom: $0), around: point) })
    }

    @Test("is not invented where no coast is: inland, nor when only a coast far away came with the file")
    func unknown() throws {
        for hasHeader in [false, true] {
            var file = Self.town()
            if hasHeader {
                file.box = PbfBox(
                    WorldBox(around: [(10.01, 20), (10, 20.01)].map { WorldPoint(latitude: $0.0, longitude: $0.1) })
                        ?? TileID.world.box)
            }
            #expect(try Self.turns(file, 10.005, 20.005) == [0])
            let island = [(10.2, 20.2), (10.2, 20.201), (10.201, 20.201), (10.201, 20.2)]
            file.way(island, closed: true, [("natural", "coastline")])
            #expect(try Self.turns(file, 10.005, 20.005) == [0])
        }
    }

    @Test("leaves a town at a cut coast dry, whose first piece dips out of the extract")
    func harbour() throws {
        var file = Self.town()
        file.box = PbfBox(
            WorldBox(
                around: [(10.0101, 19.9999), (9.998, 20.0101)].map { WorldPoint(latitude: $0.0, longitude: $0.1) })
                ?? TileID.world.box)
        let coast = [
            (9.99801, 20.0012), (9.9979, 20.0011), (9.99795, 20.0014), (9.9982, 20.0016), (9.9997, 20.003),
            (9.9998, 20.006), (10.0, 20.009),
        ]
        file.way(coast, [("natural", "coastline")])
        #expect(try Self.turns(file, 10.005, 20.005) == [0])
        // Farther out it has less than four pixels, and is left out as any area is.
        #expect(try Self.turns(file, 9.9985, 20.007, 8...14) == [1])
    }

    @Test("is kept at a coast as long as a small town, also when a coast far away came with the file")
    func smallTown() throws {
        for hasFarCoast in [false, true] {
            var file = MapFile.town
            let island = [(9.8, 20.2), (9.8, 20.201), (9.801, 20.201), (9.801, 20.2)]
            if hasFarCoast { file.way(island, closed: true, [("natural", "coastline")]) }
            // At lower zoom levels it is nearer to the coast than two pixels.
            #expect(try Self.turns(file, 10.009, 20.005, 9...14) == [0], "\(hasFarCoast)")
            #expect(try Self.turns(file, 9.9995, 20.005, 8...14) == [1], "\(hasFarCoast)")
        }
    }

    @Test("is on both sides of the antimeridian, where an island and a ferry cross it, to the last zoom level")
    func antimeridian() throws {
        for header in [nil, WorldBox(west: 0, north: 0.5, east: 1, south: 0.52)] {
            var file = MapFile()
            file.box = header.map { PbfBox($0) }
            for step in 0...40 {
                let latitude = -2 + Double(step) / 400
                file.way([(latitude, 179.9), (latitude, 179.95), (latitude, 179.99)], [("highway", "residential")])
                file.way([(latitude, -179.9), (latitude, -179.95), (latitude, -179.99)], [("highway", "residential")])
            }
            // The land is on its left.
            let island = [(-1.99, 179.97), (-1.99, -179.97), (-1.91, -179.97), (-1.91, 179.97)]
            file.way(island, closed: true, [("natural", "coastline")])
            file.way([(-1.95, 179.9), (-1.95, -179.9)], [("route", "ferry")])
            #expect(try Self.turns(file, -1.95, 179.99, 9...14) == [0])
            #expect(try Self.turns(file, -1.95, -179.99, 9...14) == [0])
            #expect(try Self.turns(file, -1.95, 179.93, 9...14) == [1])
            #expect(try Self.turns(file, -1.95, -179.93, 9...14) == [1])
            // Half around the world there is nothing, also no ferry.
            #expect(try Self.turns(file, -1.95, 0, 9...14) == [nil])
        }
    }
}
