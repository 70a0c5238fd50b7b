import Geo
import TestTools

/// A place of the tests, kept beside the snapshot so that brute force can look at it.
struct Town: Sendable {
    var id: [UInt8]
    var point: Coordinate
    var categories: [[UInt8]] = []
    var record: [UInt8] = []
}

/// What brute force finds: in the same order as a search.
struct Found: Equatable, CustomStringConvertible {
    var id: [UInt8]
    var metres: Double

    var description: String { "\(String(decoding: id, as: UTF8.self)) at \(metres) m" }
}

extension [Town] {
    /// Every town within the radius that passes, nearest first, ties by id.
    func within(_ metres: Double, of centre: Coordinate, where passes: (Town) -> Bool = { _ in true }) -> [Found] {
        filter(passes).map { Found(id: $0.id, metres: Distance.metres(from: centre, to: $0.point)) }
            .filter { $0.metres <= metres }
            .sorted { $0.metres != $1.metres ? $0.metres < $1.metres : $0.id.lexicographicallyPrecedes($1.id) }
    }

    /// Builds a snapshot of them.
    func snapshot(in folder: TemporaryFolder, name: String = "towns.snapshot") throws -> Snapshot {
        try build(at: folder.file(name))
        return try Snapshot(path: folder.file(name))
    }

    @discardableResult
    func build(at path: String) throws(GeoError) -> BuildReport {
        var builder = SnapshotBuilder()
        for town in self {
            let categories = try builder.categorySet(town.categories)
            try builder.add(id: town.id, at: town.point, categories: categories, record: town.record)
        }
        return try builder.write(to: path)
    }
}

extension SnapshotSet {
    /// The hits of the last search with their ids.
    func found(_ scratch: SearchScratch) throws -> [Found] {
        try scratch.hits.map { hit in
            try withPlace(hit) { id, _ in Found(id: Array(id), metres: hit.metres) }
        }
    }
}
