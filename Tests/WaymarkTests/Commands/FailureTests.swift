import FoundationEssentials
import Testing

@testable import Arguments
@testable import Waymark

@Suite("P39 errors and exit codes")
struct FailureTests {
    private struct Answer: Decodable, Equatable {
        struct Failure: Decodable, Equatable {
            let code: String
            let message: String
        }
        let error: Failure
    }

    @Test("a refused value ends with 13 and names the field")
    func refused() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("nearby", "91", "0")
            #expect(code.rawValue == 13)
            #expect(
                screen.messages
                    == "waymark: INVALID_ARGUMENT: centre.latitude: 91.0 is not allowed; -90 to 90 degrees are\n")
            #expect(screen.output.isEmpty)
        }
    }

    @Test("--json gives the error as JSON")
    func json() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("dataset", "rm", "none", "--yes", "--json")
            #expect(code.rawValue == 15)
            let answer = try JSONDecoder().decode(Answer.self, from: Data(screen.output.utf8))
            #expect(answer == Answer(error: .init(code: "NOT_FOUND", message: "no dataset none")))
            #expect(screen.messages.isEmpty)
        }
    }

    @Test("a late answer ends with 14, at the time asked for")
    func late() async throws {
        try await TestGateway().run { run in
            let (code, screen) = await run("nearby", "60", "25", "--name", "slow", "--timeout", "50ms")
            #expect(code.rawValue == 14)
            #expect(screen.messages.contains("DEADLINE_EXCEEDED"))
            #expect(screen.messages.contains("--timeout TIME waits longer."))
        }
    }

    @Test("nobody there ends with 24 and says how to start Waymark")
    func unavailable() async throws {
        // Port 1 (tcpmux) is nobody's on loopback.
        let (code, screen) = await CommandLineRunner(target: "127.0.0.1:1")("nearby", "60", "25", "--timeout", "1m")
        #expect(code.rawValue == 24)
        #expect(screen.messages.hasPrefix("waymark: UNAVAILABLE: 127.0.0.1:1 can't be reached"))
        #expect(screen.messages.contains("waymark up"))
    }

    @Test(
        "wrong arguments end with 2 and a sentence",
        arguments: [
            (["nerby", "1", "2"], "there is no command nerby; did you mean nearby?"),
            (["dataset", "shw"], "dataset needs one of: list, show, rm"),
            (["dataset", "delete"], "NAME is missing: the dataset"),
            (["nearby", "1", "2", "--target", "x:y"], "--target is x:y, allowed is HOST:PORT such as 127.0.0.1:7700"),
            (
                ["nearby", "1", "2", "--timeout", "0"],
                "--timeout is 0, allowed is a span of time above 0 such as 500ms, 10s, 2m or 90d"
            ),
            (["import", "f.csv"], "--dataset is missing: the name of the dataset"),
            (
                ["import", "f", "--dataset", "d", "--format", "xml"],
                "--format is xml, allowed is csv, tsv, geojson, pbf, geonames, addresses, gpx, kml or osc"
            ),
            (["call", "EchoService/Eco"], "there is no method EchoService/Eco; did you mean EchoService/Echo?"),
            (["up", "--port", "70000"], "--port is 70000, allowed is a whole number from 0 to 65535"),
            (["init"], "--key-file is missing: the file to make"),
        ])
    func usage(words: [String], sentence: String) async {
        let screen = Screen()
        let code = await Program(console: screen.console(), environment: [:]).run(words[...])
        #expect(code == .usage)
        #expect(screen.messages.hasPrefix("waymark: \(sentence)\n"))
    }

    @Test("every command explains itself", arguments: Program.commands.map { $0.syntax.words })
    func help(words: [String]) async {
        let screen = Screen()
        let code = await Program(console: screen.console(), environment: [:]).run((words + ["--help"])[...])
        #expect(code == .success)
        #expect(screen.output.contains("Usage: waymark \(words.joined(separator: " "))"))
        #expect(screen.output.contains("--json"))
    }

    @Test("a group of commands names its own", arguments: [["dataset", "--help"], ["dataset"]])
    func group(words: [String]) async {
        let screen = Screen()
        #expect(await Program(console: screen.console(), environment: [:]).run(words[...]) == .success)
        #expect(screen.output.contains("  dataset rm "))
        #expect(!screen.output.contains("  nearby "))
    }

    @Test("no argument at all shows the overview", arguments: [[], ["--help"], ["help"]])
    func overview(words: [String]) async {
        let screen = Screen()
        #expect(await Program(console: screen.console(), environment: [:]).run(words[...]) == .success)
        #expect(screen.output.contains("  nearby "))
    }
}
