import Contracts
import TestTools
import Testing
import Wire

@testable import Gateway

@Suite("P16 Rows of an answer, copied as they are")
struct AnswerRowsTests {
    private static func pins(_ count: Int) -> [Pin] {
        (0..<count).map { Pin(id: "pin-\($0)", name: String(repeating: "å", count: $0 * 40), distanceM: Double($0)) }
    }

    @Test("the rows of a branch are those of the answer, whatever follows them", arguments: [0, 1, 2, 30])
    func copied(_ count: Int) throws {
        let pins = Self.pins(count)
        for isTruncated in [false, true] {
            let answer = PinsNearResponse(pins: pins, truncated: isTruncated).packedBytes()
            let page = try BranchPage(answer, of: .pins)
            #expect(page.isTruncated == isTruncated && page.rows.count == count)
            var explored = ExploreAnswer()
            explored.add(page.rows, of: .pins)
            let branches = [Branch(name: "pins", count: 7)]
            let packed = explored.packed(ExploreParts(branches: branches))
            #expect(try ExploreResponse(packed: packed) == ExploreResponse(pins: pins, branches: branches))
        }
    }

    @Test("the first ones are kept, and others come behind them")
    func kept() throws {
        let answer = PinsNearResponse(pins: Self.pins(5), truncated: true).packedBytes()
        var rows = AnswerRows.take(from: answer).rows
        rows.keep(3)
        rows.append(AnswerRows.take(from: answer).rows)
        rows.append(AnswerRows([Self.pins(1)[0].packedBytes()]))
        rows.keep(20)
        let pins = try rows.rows.map { try Pin(packed: $0) }
        #expect(pins == Self.pins(3) + Self.pins(5) + Self.pins(1))
        var bytes: [UInt8] = [1, 2]
        rows.append(to: &bytes, as: 2)
        #expect(try ExploreResponse(packed: Array(bytes[2...])).pins == pins)
    }

    @Test("rows that do not come first are there too")
    func order() throws {
        let pins = Self.pins(3).map { $0.packedBytes() }
        let rows = pins.map { AnswerRows([$0]) }
        var answer: [UInt8] = []
        rows[0].append(to: &answer, as: 1)
        answer += [0x10, 1]
        for row in rows[1...] { row.append(to: &answer, as: 1) }
        let page = try BranchPage(answer, of: .pins)
        #expect(page.rows.rows == pins && page.isTruncated)
    }

    @Test("whatever bytes come, they are rows and the rest")
    func randomBytes() throws {
        var random = SeededGenerator(seed: 27)
        let good = PinsNearResponse(pins: Self.pins(4), truncated: true).packedBytes()
        for _ in 0..<5_000 {
            var bytes = Array(good.prefix(Int.random(in: 0...good.count, using: &random)))
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let (rows, rest) = AnswerRows.take(from: bytes)
            var again: [UInt8] = []
            rows.append(to: &again, as: 1)
            #expect(again + rest == bytes && rows.rows.count == rows.count)
        }
    }
}
