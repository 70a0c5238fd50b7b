import Contracts
import FoundationEssentials
import TestTools
import Testing

@testable import LoadTest
@testable import Waymark

@Suite("P12 P40 waymark bench truth: answers beside the truth")
struct TruthTests {
    private static let line =
        #"{"lat": 60.1, "lon": -24.9, "radius_m": 20, "count": 3, "count_r_minus_0.6pct": 2, "count_r_plus_0.6pct": 4, "nearest": [["a", 1.0], ["b", 5.25], ["c", 5.25], ["d", 30.0]]}"#

    private func truth() throws -> TruthLine { try JSONDecoder().decode(TruthLine.self, from: Data(Self.line.utf8)) }

    private func answer(_ places: [(String, Double)], count: UInt64? = nil) -> NearbyResponse {
        NearbyResponse(places: places.map { Place(id: "catalog/x/\($0.0)", distanceM: $0.1) }, count: count)
    }

    private func verdict(_ places: [(String, Double)], count: UInt64? = 3) throws -> TruthVerdict {
        let circle = places.filter { $0.1 <= 20 }
        return TruthVerdict(
            try truth(), circle: answer(circle, count: count), nearest: answer(places), prefix: "catalog/x/")
    }

    private static let right = [("a", 1.0), ("b", 5.25), ("c", 5.25), ("d", 30.0)]

    @Test("reads a line")
    func read() throws {
        let truth = try truth()
        #expect(truth.longitude == -24.9)
        #expect(truth.tolerated == 2...4)
        #expect(truth.nearest.map(\.id) == ["a", "b", "c", "d"])
    }

    @Test("the right answer is exact")
    func exact() throws {
        #expect(try verdict(Self.right) == verdict([("a", 1.004), ("b", 5.249), ("c", 5.254), ("d", 30)]))
    }

    @Test("places at equal rounded metres may change places")
    func ties() throws {
        #expect(try verdict([("a", 1.0), ("c", 5.25), ("b", 5.25), ("d", 30.0)]).nearest == .exact)
    }

    @Test("the last place may be another one at the same distance, the others not")
    func strangers() throws {
        #expect(try verdict([("a", 1.0), ("b", 5.25), ("c", 5.25), ("z", 30.0)]).nearest == .exact)
        #expect(try verdict([("z", 1.0), ("b", 5.25), ("c", 5.25), ("d", 30.0)]).nearest != .exact)
    }

    @Test("a wrong order, a wrong distance and a missing place are missed")
    func missed() throws {
        for wrong in [
            [("b", 1.0), ("a", 5.25), ("c", 5.25), ("d", 30.0)],
            [("a", 1.0), ("b", 5.25), ("c", 5.25), ("d", 31.0)],
            [("a", 1.0), ("b", 5.25), ("c", 5.25)],
        ] {
            guard case .missed = try verdict(wrong).nearest else {
                Issue.record("\(wrong) passed")
                continue
            }
        }
    }

    @Test("an ellipsoid's distances are within tolerance")
    func tolerated() throws {
        #expect(try verdict([("a", 1.005), ("b", 5.27), ("c", 5.27), ("d", 30.1)]).nearest == .tolerated)
        #expect(
            TruthVerdict(
                try truth(), circle: answer(Self.right, count: 4), nearest: answer(Self.right), prefix: "catalog/x/"
            ).count == .tolerated)
    }

    @Test("a count outside the tolerance, or none, is missed")
    func counts() throws {
        #expect(try verdict(Self.right, count: 3).count == .exact)
        #expect(try verdict(Self.right, count: 5).count == .missed("counted 5, the truth is 3 (2 to 4)"))
        #expect(try verdict(Self.right, count: nil).count == .missed("the answer has no count"))
    }

    @Test("what is within the radius must be the beginning of what is nearest")
    func inconsistent() throws {
        let verdict = TruthVerdict(
            try truth(), circle: answer([("a", 1.0), ("c", 5.25)], count: 3), nearest: answer(Self.right),
            prefix: "catalog/x/")
        guard case .missed = verdict.nearest else { return #expect(Bool(false), "passed") }
    }

    @Test("asks a target's dataset, and ends with 1 when it misses")
    func endToEnd() async throws {
        let folder = TemporaryFolder()
        let near = (0..<10).map { #"["\#($0)", \#($0 * 100)]"# }.joined(separator: ", ")
        let line = #"{"lat": 60, "lon": 25, "radius_m": 250, "count": 3, "nearest": [\#(near)]}"#
        let good = try folder.write("\(line)\n\n\(line)\n", to: "good.jsonl")
        let bad = try folder.write(line.replacing("\"count\": 3", with: "\"count\": 4"), to: "bad.jsonl")
        try await TestGateway().run { run in
            let (code, screen) = await run("bench", "truth", "--truth", good, "--data", "mine")
            #expect(code == .success)
            #expect(
                screen.lines.prefix(3) == [
                    "2 LINES      EXACT  WITHIN 0.6 %  MISSED", "count            2             0       0",
                    "ten nearest      2             0       0",
                ])
            let (failed, report) = await run("bench", "truth", "--truth", bad, "--data", "mine", "--json")
            #expect(failed == .failure)
            #expect(report.output.contains(#""misses":[{"line":1,"reason":"counted 3, the truth is 4 (4 to 4)"}]"#))
        }
    }

    @Test("a file that is no truth is named with its line")
    func noTruth() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("{}\n", to: "t.jsonl")
        try await TestGateway().run { run in
            let (code, screen) = await run("bench", "truth", "--truth", path, "--data", "mine")
            #expect(code == .failure)
            #expect(screen.messages.contains("\(path), line 1 is no truth"))
        }
    }
}
