import Testing
import Wire

@testable import Terminal
@testable import Waymark

@Suite("How a server fares, for a person")
struct StatsViewTests {
    private static let stats = ServerStats(
        service: "places-service", version: "0.1.0", status: .serving, uptime: DurationMessage(.seconds(125)),
        period: DurationMessage(.seconds(2)), connections: 3, callsInFlight: 1, receivedBytes: 3_000_000,
        sentBytes: 500, residentBytes: 21_500_000, cpuSeconds: 0.5,
        loops: [LoopStats(busy: 0.124, turns: 9, lagP50Ms: 0.0042, lagP99Ms: 0.31, lagMaxMs: 12.4)],
        methods: [
            MethodStats(method: "a.v1.B/Rare", calls: 2, errors: 1, callsPerSecond: 1, p50Ms: 1.5, maxMs: 2_500),
            MethodStats(method: "a.v1.B/Often", calls: 2468, callsPerSecond: 1234, p50Ms: 0.05, p99Ms: 0.9),
        ])

    @Test("shows the server, its loops and its methods, the busiest first")
    func lines() {
        #expect(
            StatsView(Self.stats).lines(on: .paper()) == [
                "places-service 0.1.0  serving  up 2 min 5 s  memory 21.5 MB  processor 25 %",
                "  3 connections  1 in flight  in 1.5 MB/s  out 250 B/s",
                "  loop 0  12 % busy  lag p50 4.2 µs  p99 310 µs  max 12 ms",
                "",
                "METHOD   CALLS/S  CALLS  ERRORS     P50     P90     P99     MAX",
                "B/Often    1,234  2,468           50 µs  0.0 µs  900 µs  0.0 µs",
                "B/Rare       1.0      2       1  1.5 ms  0.0 µs  0.0 µs   2.5 s",
            ])
    }

    @Test("fits a narrow terminal")
    func narrow() {
        let lines = StatsView(Self.stats).lines(on: .paper(width: 60))
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 60 })
    }

    @Test("says it when there was no call")
    func idle() {
        let lines = StatsView(ServerStats(service: "gateway")).lines(on: .paper())
        #expect(lines.last == "No call has ended in this time.")
    }

    @Test("in one line, the most important")
    func line() {
        #expect(
            StatsView(Self.stats).line
                == "places-service 2,470 calls, 1 failed, p99 at most 900 µs, 1 in flight, 3 connections, 21.5 MB, loops at most 12 % busy"
        )
    }
}
