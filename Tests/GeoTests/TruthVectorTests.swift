import FoundationEssentials
import Geo
import TestTools
import Testing

/// Answers that a program in another language found by brute force; see Vectors/README.md.
@Suite("P12 The radius search meets the independent truth vectors")
struct TruthVectorTests {
    static let folder = String(#filePath.dropLast("TruthVectorTests.swift".count)) + "Vectors"
    static let files =
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?
        .filter { $0.hasSuffix(".jsonl") }.sorted() ?? []

    @Test("there are vectors") func present() { #expect(!Self.files.isEmpty) }

    @Test("in every file", arguments: files)
    func meets(file: String) throws {
        let bytes = try WholeFile.bytes(Self.folder + "/" + file)
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        let points = try decoder.decode(Points.self, from: Data(try #require(lines.first)))
        let folder = TemporaryFolder()
        let set = SnapshotSet([try points.towns.snapshot(in: folder)])
        let scratch = SearchScratch()
        for line in lines.dropFirst() {
            let truth = try decoder.decode(Truth.self, from: Data(line))
            try truth.check(set, scratch, file)
        }
    }

    private struct Points: Decodable {
        let towns: [Town]

        private enum Key: CodingKey { case points }

        init(from decoder: any Decoder) throws {
            var list = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .points)
            var towns: [Town] = []
            while !list.isAtEnd {
                var point = try list.nestedUnkeyedContainer()
                let id = Array(try point.decode(String.self).utf8)
                let (latitude, longitude) = (try point.decode(Double.self), try point.decode(Double.self))
                towns.append(Town(id: id, point: try Coordinate(latitude: latitude, longitude: longitude)))
            }
            self.towns = towns
        }
    }

    private struct Truth: Decodable {
        let lat: Double
        let lon: Double
        let radius_m: Double
        let limit: Int
        let count: Int
        let ids: [String]
        let distances_m: [Double]

        func check(_ set: SnapshotSet, _ scratch: SearchScratch, _ file: String) throws {
            let centre = try Coordinate(latitude: lat, longitude: lon)
            let query = try NearbyQuery(centre: centre, radiusMetres: radius_m, limit: limit)
            let outcome = try set.nearby(query, using: scratch)
            let found = try set.found(scratch)
            let place: Comment = "\(file): \(lat), \(lon), \(radius_m) m"
            #expect(try set.count(query, using: scratch) == count, place)
            #expect(outcome.truncated == (count > ids.count), place)
            try #require(found.count == ids.count, place)
            for index in ids.indices {
                let allowed = distances_m[index] * 1e-6 + 1e-6
                #expect(abs(found[index].metres - distances_m[index]) <= allowed, place)
                #expect(isRight(found, at: index), place)
            }
        }

        /// The same id, or one of neighbours whose distances are too close to call.
        private func isRight(_ found: [Found], at index: Int) -> Bool {
            let id = Array(ids[index].utf8)
            return found.contains { $0.id == id && abs($0.metres - found[index].metres) < 1e-7 }
        }
    }
}
