import Contracts
import EventLoops
import RPC
import Testing
import Wire

@testable import Gateway

@Suite("P16 The branches of an exploration that are open")
struct OpenBranchesTests {
    private static func query(live: [String] = []) throws -> ExploreQuery {
        try ExploreQuery(
            ExploreRequest(centre: Coordinate(latitude: 60.17, longitude: 24.94), limit: 2, liveNetworks: live))
    }

    private static func part(_ branch: ExploreBranch, _ rows: [[UInt8]] = []) -> BranchPart {
        BranchPart(
            rows: AnswerRows(rows), given: rows, report: Branch(name: branch.name, count: UInt32(rows.count)),
            end: .now)
    }

    private static func place(_ id: String, _ metres: Double) -> [UInt8] {
        Place(id: id, distanceM: metres).packedBytes()
    }

    private static func answer(_ open: inout OpenBranches) throws -> ExploreResponse {
        let (answer, reports) = open.next()
        return try ExploreResponse(packed: answer.packed(ExploreParts(branches: reports)))
    }

    @Test("are sent together when the last one or the budget comes first, and each by itself after that")
    func due() throws {
        var open = OpenBranches(try Self.query())
        open.add(Self.part(.pins), of: .pins)
        #expect(!open.isDue && open.waiting == [.places, .photos, .posts])
        open.budgetEnded()
        let first = try Self.answer(&open)
        #expect(open.isDue && first.branches.map(\.name) == ["pins"])
        open.add(Self.part(.places, [Self.place("a", 1)]), of: .places)
        let late = try Self.answer(&open)
        #expect(open.isDue && late.branches.map(\.name) == ["places"] && late.places.map(\.id) == ["a"])

        var whole = OpenBranches(try Self.query())
        for branch in whole.waiting { whole.add(Self.part(branch), of: branch) }
        #expect(whole.isDue && whole.waiting.isEmpty)
        #expect(whole.reports.map(\.name) == ["places", "pins", "photos", "posts"])
    }

    @Test("send places that several of them have once, nearest first, and no more than the limit")
    func live() throws {
        let osm = try #require(ExploreBranch.live.first { $0.name == "openstreetmap" })
        var open = OpenBranches(try Self.query(live: ["openstreetmap"]))
        open.budgetEnded()
        open.add(Self.part(.places, [Self.place("catalog/b", 20), Self.place("catalog/c", 30)]), of: .places)
        let stored = try Self.answer(&open).places.map(\.id)
        open.add(Self.part(osm, [Self.place("openstreetmap/a", 10), Self.place("catalog/b", 20)]), of: osm)
        let found = try Self.answer(&open).places.map(\.id)
        #expect(stored == ["catalog/b", "catalog/c"] && found == ["openstreetmap/a"])
    }
}
