import Contracts
import EventLoops
import FoundationEssentials
import Glibc
import RPC
import Synchronization
import TestTools
import Testing

@testable import Arguments
@testable import LoadTest
@testable import Supervisor
@testable import Terminal
@testable import Waymark

@Suite("P40 waymark bench: a load over real sockets", .timeLimit(.minutes(5)))
struct LoadBenchTests {
    private static let short = ["--duration", "300ms", "--warm-up", "20ms"]

    /// What `--json` prints, as far as tests look at it.
    private struct Answer: Decodable {
        struct Latency: Decodable { let percentiles: [String: Double] }
        struct Failure: Decodable { let count: Int, firstMessage: String }
        struct Hits: Decodable { let mean: Double, countedAnswers: Int }
        struct Branch: Decodable {
            let answers: Int, codes: [String: Int]
            let latency: Latency
        }
        struct Check: Decodable { let against: String, checked: Int, wrong: [String] }
        struct Knee: Decodable {
            struct Step: Decodable { let rate: Double, verdict: String }
            let rate: Double?, steps: [Step]
        }

        let method: String, requests: String, pace: String
        let calls: Int, answered: Int, unsent: Int, rate: Double
        let latency: Latency, uncorrected: Latency?
        let errors: [String: Failure]
        let branches: [String: Branch]?, incomplete: Int?
        let hitsPerQuery: Hits?
        let check: Check?
        let knee: Knee?

        init(_ screen: Screen) throws { self = try JSONDecoder().decode(Self.self, from: Data(screen.output.utf8)) }
    }

    @Test("searches around places of the target, at the rate asked for, and counts what is found")
    func nearby() async throws {
        let gateway = TestGateway()
        try await gateway.run { run in
            let (_, screen) = await run(
                ["bench", "nearby", "--rate", "200", "--limit", "5", "--dataset", "mine", "--json"] + Self.short)
            let answer = try Answer(screen)
            #expect(answer.method == "waymark.places.v1.PlacesService/Nearby" && answer.pace == "open")
            #expect(answer.requests == "1.00 km, limit 5, only mine, 2,000 centres of the target's own places")
            #expect(answer.calls == 60 && answer.errors.isEmpty)
            #expect(answer.hitsPerQuery?.mean == 5)
        }
        let searches = gateway.places.state.withLock { $0.requests.filter { $0.limit == 5 } }
        #expect(searches.allSatisfy { $0.centre == Coordinate(latitude: 60, longitude: 25) && $0.datasets == ["mine"] })
    }

    @Test(
        "explore: says of each branch how it went and how long it took, and checks answers against each service's own")
    func explore() async throws {
        let words = ["bench", "explore", "--rate", "200", "--limit", "5", "--verify", "4"] + Self.short
        try await TestGateway().run { run in
            let (_, screen) = await run(words + ["--json"])
            let answer = try Answer(screen)
            #expect(answer.method == "waymark.gateway.v1.ExploreService/Explore" && answer.calls == 60)
            #expect(
                answer.requests == "1.00 km, limit 5, budget 800 ms, 2,000 centres of the target's own places")
            let branches = try #require(answer.branches)
            #expect(
                branches.mapValues(\.codes) == [
                    "places": ["OK": 60], "pins": ["OK": 60], "photos": ["UNAVAILABLE": 60],
                ])
            #expect(try #require(branches["photos"]?.latency.percentiles["p99"]).rounded() == 12)
            #expect(answer.incomplete == 60 && answer.hitsPerQuery?.mean == 5)
            #expect(answer.check?.wrong == [] && answer.check?.checked ?? 0 >= 15)
            let (_, text) = await run(words)
            #expect(text.lines.contains { $0.hasPrefix("photos") && $0.hasSuffix("60 UNAVAILABLE") })
            #expect(text.lines.contains("lacking 60 answers without one branch or more, 100.00 % of the calls"))
            #expect(text.lines.contains { $0.hasSuffix("equal what the services answer one by one") })
        }
        try await TestGateway(explore: FakeExplore(isWrong: true)).run { run in
            let (code, screen) = await run(words)
            #expect(code == .failure)
            #expect(screen.output.contains("one by one: around 60.0, 25.0: places: number 1 is another one"))
        }
    }

    @Test("takes centres from a file, and the same ones in the same order for the same seed")
    func centres() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("lat,lon\n# north\n60.1,24.9\n61\t25\n 0 -30 \n", to: "centres.csv")
        let read = try CentresFile.read(file)
        #expect(read.map(\.latitude) == [60.1, 61, 0] && read.map(\.longitude) == [24.9, 25, -30])
        #expect(throws: CommandFailure.self) { try CentresFile.centres("60,24\n91,0\n", file) }
        #expect(throws: CommandFailure.self) { try CentresFile.centres("lat,lon\n", file) }
        let load = NearbyLoad(common: NearbyRequest(), seed: 7)
        let turns = (0..<50).map(load.workload(load.requests(read), from: "").request)
        #expect(turns == (0..<50).map(load.workload(load.requests(read), from: "").request))
        #expect(Set(turns) == [0, 1, 2])
        let other = NearbyLoad(common: NearbyRequest(), seed: 8)
        #expect(turns != (0..<50).map(other.workload(other.requests(read), from: "").request))
    }

    @Test("loads any method, with requests from lines, in a closed loop")
    func call() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run(
                [
                    "bench", "call", "EchoService/Echo", "--request", "{}\n{\"payload\":\"aGVsbG8=\"}\n",
                    "--concurrency", "4",
                ]
                    + ["--connections", "2"] + Self.short)
            #expect(code == .success || screen.output.contains("not valid"))
            #expect(screen.lines[0].hasPrefix("waymark.rpc.v1.EchoService/Echo at 127.0.0.1:"))
            #expect(screen.lines[0].hasSuffix(": 2 requests"))
            #expect(screen.lines[1].contains("4 calls under way at once (closed loop)"))
            #expect(screen.lines.contains { $0.hasPrefix("LATENCY") && $0.contains("P99.9") })
            let (stream, _) = await run("bench", "call", "EchoService/EchoStream")
            #expect(stream == .usage)
        }
    }

    @Test("wrong requests end it before it begins, with their status; a target that is gone too")
    func refused() async throws {
        try await TestGateway().run { run in
            let file = try TemporaryFolder().write("", to: "x")
            #expect(
                await run("bench", "call", "PinService/GetPin", "--request", "{\"id\":\"none\"}").code.rawValue >= 10)
            #expect(await run("bench", "nearby", "--centres", file).code == .failure)
        }
        #expect(await CommandLineRunner(target: "127.0.0.1:1")("bench", "nearby").code.rawValue == 24)
    }

    @Test("flags that make no sense are refused")
    func usage() async {
        let run = CommandLineRunner(target: "127.0.0.1:1")
        for words in [
            ["--rate", "0"], ["--concurrency", "0"], ["--concurrency", "1001"], ["--find-knee"], ["--p99", "1s"],
            ["--duration", "2h"], ["--http", "localhost"], ["--http", "http://x", "--target", "y:1"],
            ["--http", "http://x", "--connections", "4", "--concurrency", "5"], ["--verify", "3"], ["--data", "x"],
            ["--verify", "0", "--data", "x"],
        ] {
            #expect(await run(["bench", "nearby"] + words).code == .usage, "\(words)")
        }
        for words in [["--verify", "0"], ["--data", "x"], ["--budget", "x"], ["--rate", "0"]] {
            #expect(await run(["bench", "explore"] + words).code == .usage, "\(words)")
        }
    }

    @Test("a server that stands still for 1.4 s is seen in p99, and uncorrected figures do not show it")
    func stall() async throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        let echo = TimedEcho(
            .milliseconds(1), on: group.loops[0], stall: (afterCalls: 120, length: .milliseconds(1400)))
        try await TestGateway(echo: echo).run { run in
            let (_, screen) = await run(
                ["bench", "call", "EchoService/Echo", "--rate", "100", "--concurrency", "1", "--uncorrected", "--json"]
                    + ["--duration", "5s", "--warm-up", "100ms"])
            let answer = try Answer(screen)
            #expect(answer.calls == 500 && answer.answered > 400)
            // 28 % of the calls were due in that time. Of the slowest 1 %, the least waited 1.35 s.
            let (honest, lie) = (answer.latency.percentiles, answer.uncorrected?.percentiles ?? [:])
            #expect((honest["p99"] ?? 0) >= 1300 && (honest["p90"] ?? 0) >= 800)
            #expect((lie["max"] ?? 0) >= 1399 && (lie["p99"] ?? .infinity) < 700)
        }
    }

    @Test("the knee of one worker of 10 ms is 100 calls a second, never 5 % more, and no less on a quiet machine")
    func knee() async throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        let echo = TimedEcho(.milliseconds(10), on: group.loops[0])
        try await TestGateway(echo: echo).run { run in
            let (_, screen) = await run(
                ["bench", "call", "EchoService/Echo", "--find-knee", "--p99", "60ms", "--rate", "90", "--json"]
                    + ["--duration", "1500ms", "--warm-up", "100ms", "--max-time", "30s"])
            let answer = try Answer(screen)
            let steps = answer.knee?.steps ?? []
            #expect(steps.allSatisfy { $0.verdict != "kept" || $0.rate <= 105 }, "no more than it can do is believed")
            #expect(answer.knee?.rate ?? 0 <= 105)
            // On a clock that is turned it is always found; here other programs may keep this one from the processor.
            withKnownIssue("a machine that stands still for 50 ms keeps no goal", isIntermittent: true) {
                #expect(
                    steps.contains { $0.rate > 105 } && answer.knee?.rate ?? 0 >= 95,
                    "\(steps.map { "\($0.rate): \($0.verdict)" })")
            }
        }
    }

    @Test("Ctrl-C ends it with the report of what was measured so far")
    func interrupted() async throws {
        let group = try EventLoopGroup(count: 1)
        defer { group.shutDown() }
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        var echo = TimedEcho(.milliseconds(1), on: group.loops[0])
        echo.onCall = { call.yield() }
        try await TestGateway(echo: echo).run { run in
            let running = try RunningWaymark(
                ["bench", "call", "EchoService/Echo", "--target", run.target, "--rate", "100", "--json"]
                    + ["--duration", "1h", "--warm-up", "50ms"], folder: TemporaryFolder())
            var seen = 0
            for await _ in calls {
                seen += 1
                if seen == 40 { break }
            }
            running.signal(SIGINT)
            let report = try #require(try await running.line())
            #expect(report.contains(#""isCutShort":true"#) && !report.contains(#""calls":0,"#))
            // 1 says that this machine was too busy for valid figures.
            #expect([.exited(0), .exited(1)].contains(try await running.wait()))
        }
    }

    @Test("when all calls fail, the exit code tells how, and the report why")
    func failures() async throws {
        let (tally, load) = (Self.failed, try Self.options([]))
        let report = LoadReport(
            method: "a.B/C", target: "x:1", requests: "1 request", load: load, tally: tally, knee: nil, check: nil)
        #expect(ExitCode(report).rawValue == 14)
        let lines = LoadView(report).lines(on: .paper())
        #expect(lines.contains("DEADLINE_EXCEEDED      3  20.0 ms  30.0 ms  it was <late> & \"gone\""))
        let json = try report.json()
        #expect(json.contains(#""errors":{"DEADLINE_EXCEEDED":{"count":3,"firstMessage":"it was <late> & \"gone\"""#))
    }

    private static var failed: LoadTally {
        var tally = LoadTally()
        let start = MonotonicTime(nanoseconds: 0)
        for time in [10, 20, 30] {
            tally.add(
                .failed(.deadlineExceeded, message: "it was <late> & \"gone\""), due: start, sent: start,
                end: start + .milliseconds(time))
        }
        tally.length = .seconds(10)
        return tally
    }

    private static func options(_ words: [String]) throws -> LoadOptions {
        var parser = ArgumentParser(BenchNearbyCommand.syntax, environment: [:])
        return try LoadOptions(try parser.parse(words[...]))
    }

    @Test("the page is whole by itself, and nothing in it is taken for markup")
    func page() throws {
        let load = try Self.options(["--rate", "5", "--uncorrected"])
        let report = LoadReport(
            method: "a.B/C", target: "<script>x</script>", requests: "'quoted' & more", load: load, tally: Self.failed,
            knee: nil, check: AnswerCheck(against: "brute force", checked: 1, wrong: ["<b>"]))
        let html = LoadPage(report).html
        #expect(html.contains("&lt;script&gt;x&lt;/script&gt;: &#39;quoted&#39; &amp; more"))
        #expect(
            !html.contains("<script") && !html.contains("<b>\n") && !html.contains("http:") && !html.contains("https:")
                && !html.contains("@import"))
        #expect(html.contains("An answer differs from brute force: &lt;b&gt;"))
        #expect(html.components("<svg") == 2 && html.components("</svg>") == 2)
        #expect(html.contains("prefers-color-scheme: dark") && html.contains("curve second dashed"))
        #expect(!html.contains("nan") && !html.contains("inf"))
    }

    @Test("a page is written beside the report")
    func written() async throws {
        let folder = TemporaryFolder()
        try await TestGateway().run { run in
            _ = await run(["bench", "call", "EchoService/Echo", "--html", folder.file("report.html")] + Self.short)
        }
        #expect(try folder.text("report.html").hasPrefix("<!DOCTYPE html>"))
    }
}

extension String {
    /// How often a text occurs in this one.
    fileprivate func components(_ text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
