import FeatureFiles
import Geo
import PlaceContracts
import TestTools
import Testing

@testable import PlacesService

/// The areas that the import of a file finds.
struct AreaFile {
    let index: AreaIndex?
    /// What the import says of them; nil for nothing.
    let problem: String?
    private let folder: TemporaryFolder

    init(_ file: MapFile) throws {
        let folder = TemporaryFolder()
        try WholeFile.write(file.bytes, to: folder.file("a.osm.pbf"))
        let source = try FileSource(path: folder.file("a.osm.pbf"))
        let geometry = try OSMGeometry(folder: folder.path)
        let areas = OSMAreas(geometry, folder: folder.path)
        var rows = OSMRows(source, geometry, largestUpload: 1 << 30, areas: areas)
        var row = PlaceRow()
        while try rows.next(&row) != nil {}
        let facts = try areas.write(to: folder.file("areas")) { () throws(PlacesError) in }
        index = try facts.map { _ in try AreaIndex(path: folder.file("areas")) }
        problem = areas.problem
        self.folder = folder
        if let facts, let index {
            #expect(facts.count == UInt64(index.count) && facts.byteCount == UInt64(index.fileBytes))
            try index.verify()
        }
    }

    /// The names of the areas at a point, sorted.
    func names(_ latitude: Double, _ longitude: Double) throws -> [String] {
        let point = try Geo.Coordinate(latitude: latitude, longitude: longitude)
        let found = index?.areas(holding: point, Set(Geo.AreaKind.allCases)) ?? []
        return found.compactMap { index?.record($0)?.name }.sorted()
    }
}

extension WorldAreas {
    /// Those of the bundled table.
    static func bundled() throws -> WorldAreas {
        let folder = TemporaryFolder()
        return try WorldAreas(bundledIn: BundledDataTests.folder, at: folder.file("world.areas"))
    }
}
