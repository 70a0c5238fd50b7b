@testable import Geo
import TestTools
import Testing

@Suite("The order of the boxes of areas")
struct AreaOrderTests {
    private func boxes(_ count: Int, _ side: Int32, _ random: inout SeededGenerator) -> [AreaBox] {
        (0..<count).map { _ in
            let south = Int32.random(in: -800_000_000...200_000_000, using: &random)
            let west = Int32.random(in: -1_700_000_000...1_100_000_000, using: &random)
            return AreaBox(south: south, west: west, north: south + side, east: west + side)
        }
    }

    /// The numbers of the boxes in their order.
    private func order(_ boxes: [AreaBox], memory: Int = 1 << 20) throws -> [Int] {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var pieces = AreaPieces(folder: folder.path, memory: memory)
        var all = AreaBox()
        for (number, box) in boxes.enumerated() {
            all.add(box)
            let piece = AreaPiece(record: 0, count: 0, start: number, kind: .park, box: box)
            try pieces.append(piece, by: Int64(number))
        }
        let sorted = try AreaOrder.of(try pieces.sorted(), around: all, folder: folder.path, memory: memory)
        return boxes.indices.map { AreaPiece(sorted, $0).start }
    }

    @Test("is the same where pieces are too many for memory", arguments: [2, 64, 4096, 100_000])
    func files(memory: Int) throws {
        var random = SeededGenerator(seed: 9)
        // Of some the middles are the same.
        let some = boxes(2500, 3_000_000, &random) + boxes(20, 700_000_000, &random)
        let all = some + some.reversed()
        let (own, expected) = (try order(all, memory: memory), try order(all))
        #expect(own == expected)
    }

    @Test("has each box once, and those that are large at its end", arguments: [0, 1, 16, 17, 256, 257, 5000])
    func order(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count) + 1)
        let all = boxes(3, 90_000_000 * 7, &random) + boxes(count, 1_000_000, &random)
        let order = try order(all)
        #expect(order.sorted() == Array(all.indices))
        if count > 0 { #expect(Set(order.suffix(3)) == [0, 1, 2]) }
    }

    @Test("has a point in few boxes of the tree over them")
    func overlaps() throws {
        var random = SeededGenerator(seed: 5)
        let all = boxes(4096, 10_000_000, &random)
        let leaves = AreaStepBoxes.joined(try order(all).map { all[$0] })
        let points = boxes(500, 0, &random).map { AreaPoint(latitude: $0.south, longitude: $0.west) }
        let met = points.reduce(0) { sum, point in sum + leaves.count { $0.contains(point) } }
        #expect(Double(met) / 500 < 4, "of 256 boxes")
    }
}
