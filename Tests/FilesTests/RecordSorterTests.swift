import EventLoops
import Scratch
import TestTools
import Testing

@Suite("Records that are sorted")
struct RecordSorterTests {
    /// Sorted as one list in memory, of which the same come in the order in which they came.
    private static func expected(_ records: [[UInt64]]) -> [[UInt64]] {
        records.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func sorted(
        _ records: [[UInt64]], width: Int, in folder: String?, memory: Int
    ) throws -> [[UInt64]] {
        var sorter = RecordSorter(width: width, folder: folder, memory: memory)
        for record in records { try sorter.append(record) }
        let sorted = try sorter.sorted()
        return (0..<sorted.count).map { record in (0..<width).map { sorted.word($0, of: record) } }
    }

    @Test("are the same whether they fit into memory or make many runs", arguments: [1, 2, 5])
    func runs(width: Int) async throws {
        try await TemporaryFolder.with { folder in
            var generator = SeededGenerator(seed: 7)
            let records = (0..<5_000).map { _ in
                (0..<width).map { _ in UInt64.random(in: 0..<16, using: &generator) << 60 | 3 }
            }
            for memory in [1, 1_000, 64_000, 1 << 20] {
                let sorted = try Self.sorted(records, width: width, in: folder, memory: memory)
                #expect(sorted == Self.expected(records))
            }
            let sorted = try Self.sorted(records, width: width, in: nil, memory: 1)
            #expect(sorted == Self.expected(records))
        }
    }

    @Test("leave out what is not kept, by any of their numbers", arguments: [64, 1 << 20])
    func kept(memory: Int) async throws {
        try await TemporaryFolder.with { folder in
            var sorter = RecordSorter(width: 2, folder: folder, memory: memory)
            for number: UInt64 in 0..<100 { try sorter.append([100 - number, number]) }
            let sorted = try sorter.sorted(where: 1) { $0 % 10 == 0 }
            let numbers = (0..<sorted.count).map { sorted.word(1, of: $0) }
            #expect(numbers == stride(from: 90, through: 0, by: -10).map { UInt64($0) })
        }
    }

    @Test("are none when none came, and need a folder that can be written to once memory is full")
    func edges() throws {
        #expect(try Self.sorted([], width: 3, in: "/nowhere", memory: 1).isEmpty)
        #expect(throws: SystemError.self) {
            try Self.sorted([[1], [2], [3]], width: 1, in: "/nowhere", memory: 16)
        }
    }
}
