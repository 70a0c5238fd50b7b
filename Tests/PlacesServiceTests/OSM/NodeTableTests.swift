import TestTools
import Testing

@testable import PlacesService

@Suite("Positions of the nodes of a map")
struct NodeTableTests {
    @Test("are found in any order, also when the file has its nodes in runs", arguments: [1, 7])
    func found(runs: Int) throws {
        var numbers = SeededGenerator(seed: 11)
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var table = try NodeTable(folder: folder.path)
        var known: [Int64: GridPoint] = [:]
        for _ in 0..<runs {
            var id: Int64 = -50
            for _ in 0..<2000 {
                id += .random(in: 1...9, using: &numbers)
                let point = GridPoint(latitude: .random(in: -9...9, using: &numbers), longitude: Int32(id))
                known[id] = point
                try table.add(id, point)
            }
        }
        try table.seal()
        let isUnordered = table.isUnordered
        #expect(!isUnordered)
        for id in Int64(-60)..<20_000 { #expect(table.point(id) == known[id]) }
        for _ in 0..<20_000 {
            let id = Int64.random(in: -60...20_000, using: &numbers)
            #expect(table.point(id) == known[id])
        }
        var count = 0
        table.forEach { _ in count += 1 }
        // Of one that comes more than once among those that are sorted together only the last is kept.
        #expect((known.count...runs * 2000).contains(count))
    }

    @Test("are found in a file that has no order at all, each where it came last")
    func disorder() throws {
        var numbers = SeededGenerator(seed: 12)
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var table = try NodeTable(folder: folder.path, maximumLoose: 100)
        var known: [Int64: GridPoint] = [:]
        for round in 0..<10_000 {
            let id = Int64.random(in: -2000...2000, using: &numbers)
            known[id] = GridPoint(latitude: Int32(round), longitude: 0)
            try table.add(id, GridPoint(latitude: Int32(round), longitude: 0))
        }
        try table.seal()
        let isUnordered = table.isUnordered
        #expect(!isUnordered)
        for id in Int64(-2001)...2001 { #expect(table.point(id) == known[id]) }
    }

    @Test("are given up when more of them are in no order than are sorted together in all runs")
    func tooMuchDisorder() throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var table = try NodeTable(folder: folder.path, maximumLoose: 2)
        for id in (0..<1000).reversed() { try table.add(Int64(id), GridPoint(latitude: 1, longitude: 2)) }
        let isUnordered = table.isUnordered
        #expect(isUnordered)
    }
}
