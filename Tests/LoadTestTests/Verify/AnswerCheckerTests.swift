import PlaceContracts
import FoundationEssentials
import Geo
import TestTools
import Testing
import Wire

@testable import LoadTest
@testable import Terminal

@Suite("P40 Answers beside brute force over the places on disk")
struct AnswerCheckerTests {
    private let folder = TemporaryFolder()
    private let check: AnswerChecker
    private static let middle = BaseContracts.Coordinate(latitude: 60, longitude: 25)

    /// Places on a line to the north, about 111 m apart, the first two at the same spot.
    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("datasets/line"), withIntermediateDirectories: true)
        var builder = SnapshotBuilder()
        let none = try builder.categorySet([])
        for index in [3, 1, 2, 0, 4] {
            let point = try Geo.Coordinate(latitude: 60 + Double(max(0, index - 1)) / 1000, longitude: 25)
            try builder.add(id: Array("catalog/line/\(index)".utf8), at: point, categories: none, record: [])
        }
        _ = try builder.write(to: folder.file("datasets/line/7.snapshot"))
        try folder.write(#"{"format":1,"generation":7,"facts":{}}"#, to: "datasets/line/dataset.json")
        check = AnswerChecker(try StoredPlaces(folder: folder.path, only: []))
    }

    /// An answer with these places, each where it should be unless told otherwise.
    private func answer(_ numbers: [Int], isTruncated: Bool = false, off: Double = 0) -> NearbyResponse {
        let places = numbers.map { number in
            Place(id: "catalog/line/\(number)", distanceM: Double(max(0, number - 1)) * 111.19508 + off)
        }
        return NearbyResponse(places: places, truncated: isTruncated)
    }

    private func difference(_ answer: NearbyResponse, limit: UInt32? = nil) throws -> String? {
        try check.difference(NearbyRequest(centre: Self.middle, radiusM: 250, limit: limit), answer)
    }

    @Test("the right answer is equal, also when it is cut by the limit")
    func right() throws {
        let found = try check.places.around(try Geo.Coordinate(latitude: 60, longitude: 25), radius: 250)
        #expect(found.map(\.id) == ["catalog/line/0", "catalog/line/1", "catalog/line/2", "catalog/line/3"])
        let places = found.map { Place(id: $0.id, distanceM: $0.metres) }
        #expect(try difference(NearbyResponse(places: places)) == nil)
        #expect(try difference(NearbyResponse(places: Array(places.prefix(2)), truncated: true), limit: 2) == nil)
    }

    @Test("a place that is missing, wrong, in a wrong turn or at a wrong distance is told; so is a wrong word of more")
    func wrong() throws {
        #expect(try difference(answer([0, 1, 2]))?.contains("3 places instead of 4") == true)
        #expect(try difference(answer([1, 0, 2, 3]))?.contains("place 1 is catalog/line/1") == true)
        #expect(try difference(answer([0, 1, 2, 4]), limit: 4) != nil)
        #expect(try difference(answer([0, 1], isTruncated: true, off: 0.01), limit: 2) != nil)
        #expect(try difference(answer([0, 1]), limit: 2)?.contains("it says that there are no more") == true)
    }

    @Test("samples are read as they were sent, and each that differs is told once")
    func samples() throws {
        let load = NearbyLoad(common: NearbyRequest(radiusM: 50), seed: 1)
        let workload = load.workload(load.requests([Self.middle]), from: "")
        let samples = [[0, 1], [0], [0, 1]].map { AnswerSamples.Sample(request: 0, answer: answer($0).packedBytes()) }
        let result = try check.check(samples, of: workload)
        #expect(result.checked == 3 && result.wrong.count == 1)
    }

    @Test("a folder that is none is told")
    func noFolder() {
        #expect(throws: CommandFailure.self) { try StoredPlaces(folder: "/nowhere", only: []) }
        #expect(throws: CommandFailure.self) { try StoredPlaces(folder: folder.path, only: ["other"]) }
    }
}
