@testable import Geo
import Testing

@Suite("Rings on the Earth as rings on the plane")
struct AreaRingTests {
    private func ring(_ degrees: [(Double, Double)]) -> [AreaPoint] {
        degrees.map { AreaPoint(latitude: Int32(($0.0 * 1e7).rounded()), longitude: Int32(($0.1 * 1e7).rounded())) }
    }

    @Test("one that lies on the plane stays as it is, and is closed")
    func plain() {
        let square = ring([(0, 0), (0, 1), (1, 1), (1, 0)])
        #expect(AreaRing.planar(square) == [square + [square[0]]])
        #expect(AreaRing.planar(square + [square[0]]) == [square + [square[0]]])
    }

    @Test("one across the antimeridian is two, each closed along it")
    func antimeridian() {
        let parts = AreaRing.planar(ring([(0, 179), (0, -179), (10, -179), (10, 179)]))
        #expect(parts.count == 2)
        let boxes = parts.map { AreaBox($0) }.sorted { $0.west < $1.west }
        #expect(boxes.map(\.west) == [-1_800_000_000, 1_790_000_000])
        #expect(boxes.map(\.east) == [-1_790_000_000, 1_800_000_000])
        #expect(parts.allSatisfy { $0.first == $0.last })
    }

    @Test("one around a pole holds it")
    func poles() {
        for sign in [1.0, -1] {
            let parts = AreaRing.planar(ring([(80, 0), (80, 120), (80, -120)].map { ($0.0 * sign, $0.1) }))
            let box = parts.reduce(into: AreaBox()) { $0.add(AreaBox($1)) }
            #expect((box.west, box.east) == (-1_800_000_000, 1_800_000_000))
            #expect(sign > 0 ? box.north == 900_000_000 : box.south == -900_000_000)
        }
    }

    @Test("what is no ring is none", arguments: [[], [(0, 0)], [(0, 0), (1, 1)], [(0, 0), (1, 1), (0, 0)]])
    func none(_ points: [(Double, Double)]) { #expect(AreaRing.planar(ring(points)).isEmpty) }

    @Test("nothing off the Earth, and nothing that goes around it again and again, traps")
    func impossible() {
        let off = [AreaPoint(latitude: .max, longitude: .min), AreaPoint(latitude: 0, longitude: 0)]
        #expect(AreaRing.planar(off + [AreaPoint(latitude: 1, longitude: 1)]).isEmpty)
        #expect(AreaRing.planar(line: off).isEmpty)
        let turns = (0..<9).flatMap { _ in [(0.0, 0.0), (0.0, 120.0), (1.0, -120.0)] }
        #expect(AreaRing.planar(ring(turns)).isEmpty)
    }

    @Test("a line loses only the step across the antimeridian")
    func lines() {
        let lines = AreaRing.planar(line: ring([(0, 178), (0, 179), (0, -179), (0, -178)]))
        #expect(lines.map(\.count) == [2, 2])
    }
}
