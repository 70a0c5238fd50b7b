import PlaceContracts
import Files
import FoundationEssentials
import TestSupport
import TestTools
import Testing

@testable import Geo
@testable import PlacesService

@Suite("P12 Live searches are compared with brute force")
struct VerifierTests {
    @Test("and found to be right, in every kind of search")
    func right() async throws {
        let model = ModelCatalog(seed: 3, count: 2400)
        try await TestService.run(verifyRate: 1) { service in
            try await service.load(model)
            let verifier = try #require(service.handler.verifier)
            for (index, place) in model.places.prefix(60).enumerated() {
                let centre = BaseContracts.Coordinate(latitude: place.point.latitude, longitude: place.point.longitude)
                if index % 3 == 0 {
                    let corner = BaseContracts.Coordinate(latitude: min(90, place.point.latitude + 0.1), longitude: 180)
                    let request = WithinRequest(box: BaseContracts.Box(southWest: centre, northEast: corner))
                    _ = try await service.client.within(request, TestService.soon)
                } else {
                    let first = NearbyRequest(
                        centre: centre, radiusM: 20_000, limit: 5, categories: index % 2 == 0 ? ["amenity"] : [],
                        nameText: index % 5 == 0 ? "caf" : "")
                    let answer = try await service.nearby(first)
                    var next = first
                    next.pageToken = answer.nextPageToken
                    #expect(await eventually { verifier.isIdle })
                    _ = try await service.nearby(next)
                }
                #expect(await eventually { verifier.isIdle })
            }
            #expect(verifier.tally.searches == 100)
            #expect(verifier.tally.expected > 300)
            #expect(verifier.tally.recall == 1)
            #expect(verifier.tally.orderErrors == 0 && verifier.tally.unexpected == 0 && verifier.tally.skipped == 0)
        }
    }

    @Test("a fault planted in the index's tree is found, counted and kept for a person to see")
    func plantedFault() async throws {
        let folder = TemporaryFolder()
        let rows = (0..<100).map { "\($0)\tn\t60.\(100 + $0)\t25\n" }.joined()
        try await TestService.run(in: folder) { try await $0.load("id\tname\tlat\tlon\n" + rows) }
        let path = folder.path + "/data/datasets/test/1.snapshot"
        var file = try WholeFile.bytes(path)
        Self.loseNorth(&file)
        try WholeFile.write(file, to: path)
        try await TestService.run(in: folder, verifyRate: 1) { service in
            let verifier = try #require(service.handler.verifier)
            let request = NearbyRequest(
                centre: BaseContracts.Coordinate(latitude: 60.15, longitude: 25), radiusM: 20_000, limit: 200)
            let given = try await service.nearby(request).places.count
            #expect(await eventually { verifier.isIdle })
            #expect(given < 100)
            #expect(verifier.tally.expected == 100 && verifier.tally.missing == UInt64(100 - given))
            #expect(verifier.tally.recall < 1)
            let kept = try DiskFile.names(in: folder.path + "/verify")
            let name = try #require(kept.first)
            let repro = try JSONDecoder().decode(
                Repro.self, from: Data(try WholeFile.bytes(folder.path + "/verify/" + name)))
            #expect(repro.expected.count == 100 && repro.given.count == given)
            #expect(repro.degrees == [60.15, 25] && repro.radiusMetres == 20_000 && repro.snapshots == [path])
        }
    }

    @Test("an order that is wrong is counted, without counting what is missing once more")
    func orderErrors() {
        func found(_ ids: [UInt8]) -> [BruteForce.Found] { ids.map { BruteForce.Found(id: [$0], metres: Double($0)) } }
        var tally = VerifyTally()
        let same = tally.add(expected: found([1, 2, 3]), given: found([1, 2, 3]))
        let other = tally.add(expected: found([1, 2, 3, 4]), given: found([2, 4, 3]))
        #expect(!same && other)
        #expect(tally == VerifyTally(searches: 2, expected: 7, missing: 1, unexpected: 0, orderErrors: 2))
    }

    /// Lets the first node of the tree end where it begins, as a bug in its bounds would, and makes the checksums right
    /// again: only a search can tell.
    private static func loseNorth(_ file: inout [UInt8]) {
        func number(_ at: Int) -> Int { (0..<8).reduce(0) { $0 | Int(file[at + $1]) << ($1 * 8) } }
        func put(_ number: UInt64, _ at: Int) {
            for byte in 0..<8 { file[at + byte] = UInt8(truncatingIfNeeded: number >> UInt64(byte * 8)) }
        }
        let entry = SnapshotLayout.headerBytes + SnapshotLayout.Section.tree.rawValue * SnapshotLayout.entryBytes
        let (start, length) = (number(entry), number(entry + 8))
        for byte in 0..<4 { file[start + SnapshotLayout.groupNodes * 4 + byte] = 0 }
        put(Checksum.of(Array(file[start..<(start + length)])), entry + 16)
        let table = SnapshotLayout.headerBytes..<(SnapshotLayout.headerBytes + SnapshotLayout.tableBytes)
        put(Checksum.of(Array(file[0..<56]) + file[table]), 56)
    }
}
