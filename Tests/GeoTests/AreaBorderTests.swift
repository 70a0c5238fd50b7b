import TestTools
import Testing

@testable import Geo

@Suite("P63 Lines around areas")
struct AreaBorderTests {
    private func ring(_ corners: [(Int32, Int32)]) -> [AreaPoint] {
        let points = corners.map { AreaPoint(latitude: $0.0, longitude: $0.1) }
        return points + points.prefix(1)
    }

    /// The steps of lines, whichever way they go.
    private func steps(_ lines: [[AreaPoint]]) -> [Set<AreaPoint>] {
        lines.flatMap { line in zip(line, line.dropFirst()).map { Set([$0, $1]) } }
    }

    @Test("what two areas share is not around both; what is left of a ring is one line, wherever it begins")
    func shared() {
        let left = ring([(0, 0), (0, 10), (10, 10), (10, 0)])
        let right = ring([(10, 10), (0, 10), (0, 20), (10, 20)])
        let lines = AreaBorder.around([left, right])
        #expect(lines.map(\.count) == [4, 4])
        #expect(Set(steps(lines)) == Set(steps([ring([(0, 0), (0, 10), (0, 20), (10, 20), (10, 10), (10, 0)])])))
        #expect(AreaBorder.around([left]) == [left])
    }

    @Test("an area in a hole of another one fills it")
    func hole() {
        let outer = ring([(0, 0), (0, 30), (30, 30), (30, 0)])
        let inner = ring([(10, 10), (10, 20), (20, 20)])
        #expect(AreaBorder.around([outer, inner, inner]) == [outer])
        #expect(AreaBorder.around([outer, inner]) == [outer, inner])
    }

    @Test("where a ring was cut at the antimeridian, or led over a pole, there is no border")
    func cuts() {
        let turn = AreaPoint.halfTurn
        let lines = AreaBorder.around(
            AreaRing.planar(ring([(0, turn - 10), (0, -turn + 10), (10, -turn + 10), (10, turn - 10)])))
        #expect(lines.count == 2 && lines.allSatisfy { $0.count == 4 && $0.first != $0.last })
        let polar = stride(from: -1_700_000_000, through: 1_700_000_000, by: 200_000_000).map {
            (Int32(-700_000_000), Int32($0))
        }
        let around = AreaBorder.around(AreaRing.planar(ring(polar)))
        #expect(!around.isEmpty && around.joined().allSatisfy { $0.latitude == -700_000_000 })
    }

    @Test("an index gives the rings of its areas, without points that are near to each other, and not too many")
    func rings() throws {
        let folder = TemporaryFolder()
        var writer = AreaIndexWriter(scratchFolder: folder.path)
        let dense = ring((0..<1000).map { (0, $0) } + [(1000, 1000), (1000, 0)])
        for (name, points) in [("dense", dense), ("other", ring([(0, 0), (5, 5), (0, 5)]))] {
            let added = writer.add(AreaRecord(kind: .region, id: name, name: name))
            let number = try #require(added)
            try writer.add(rings: [points], to: number, .region)
        }
        _ = try writer.write(to: folder.file("areas"))
        let index = try AreaIndex(path: folder.file("areas"))
        let number = try #require(index.number(ofID: "dense"))
        #expect(index.rings(of: [number], spacing: 0, most: 5000) == [dense])
        let thinned = try #require(index.rings(of: [number], spacing: 100, most: 20)?.first)
        #expect(thinned.first == dense.first && thinned.last == dense.last && (12...16).contains(thinned.count))
        #expect(index.rings(of: [number], spacing: 0, most: 500) == nil)
        #expect(index.rings(of: [], spacing: 0, most: 500)?.isEmpty == true)
    }
}
