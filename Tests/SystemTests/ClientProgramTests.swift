import Arguments
import EventLoops
import FoundationEssentials
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite("P39 waymark list, describe and stats, run against a real gateway", .timeLimit(.minutes(2)))
struct ClientProgramTests {
    /// Runs `body` against a gateway process, and ends that.
    private func withGateway(
        _ arguments: [String] = [], in folder: TemporaryFolder = TemporaryFolder(),
        _ body: (ServiceProcess) async throws -> Void
    ) async throws {
        let process = try await ServiceProcess.start(
            "gateway", folder: folder.path,
            ["--http", "127.0.0.1:0", "--web", "none", "--map", "none", "--data", folder.path] + arguments)
        try await body(process)
        #expect(try await process.end(by: SIGTERM).code == 0)
    }

    private func waymark(_ process: ServiceProcess, _ words: String...) async throws -> ProgramRun.End {
        try await ProgramRun.run("waymark", words + ["--target", "\(process.endpoint)"])
    }

    @Test("list names what the gateway answers, of all services or of one")
    func list() async throws {
        try await withGateway { gateway in
            let all = try await waymark(gateway, "list")
            #expect(all.code == 0)
            for method in [
                "ExploreService/Explore", "PlacesService/Nearby", "PinService/WatchPins", "PhotoService/GetPicture",
                "EchoService/Echo", "HealthService/Watch", "StatsService/WatchStats", "ReflectionService/ListServices",
            ] {
                #expect(all.output.contains("\n\(method) "), "\(method)")
            }
            #expect(!all.output.contains("AlbumSearchService"), "that one is for services among themselves")
            let one = try await waymark(gateway, "list", "EchoService")
            #expect(
                one.output == """
                    METHOD                  REQUEST                      ANSWER
                    EchoService/Echo        EchoRequest                  EchoResponse
                    EchoService/EchoEach    stream of EchoEachRequest    stream of EchoEachResponse
                    EchoService/EchoJoined  stream of EchoJoinedRequest  EchoJoinedResponse
                    EchoService/EchoStream  EchoStreamRequest            stream of EchoStreamResponse

                    """)
            let json = try await waymark(gateway, "list", "waymark.rpc.v1.EchoService", "--json")
            #expect(json.output.hasPrefix(#"[{"method":"waymark.rpc.v1.EchoService/Echo","request":"#))
            let wrong = try await waymark(gateway, "list", "EkoService")
            #expect(wrong.code == 2)
            #expect(wrong.errors.contains("EchoService"))
        }
    }

    @Test("describe shows a symbol as it was written, with its comments")
    func describe() async throws {
        try await withGateway { gateway in
            let method = try await waymark(gateway, "describe", "EchoService/Echo")
            #expect(
                method.output == """
                    // The request's payload, unchanged.
                    rpc Echo(waymark.rpc.v1.EchoRequest) returns (waymark.rpc.v1.EchoResponse);  // changes nothing

                    // What to send back.
                    message waymark.rpc.v1.EchoRequest {
                      // Any bytes.
                      bytes payload = 1;
                      // How long the server waits before it answers, but at most the call's \
                    deadline. From 0 to 5 seconds.
                      optional google.protobuf.Duration delay = 2;
                    }

                    // What was sent.
                    message waymark.rpc.v1.EchoResponse {
                      // The request's bytes.
                      bytes payload = 1;
                    }

                    """)
            let values = try await waymark(gateway, "describe", "waymark.rpc.v1.ServingStatus")
            #expect(values.output.contains("  // Calls are answered.\n  SERVING_STATUS_SERVING = 1;\n"))
            let service = try await waymark(gateway, "describe", "ReflectionService")
            #expect(service.output.contains("service waymark.rpc.v1.ReflectionService {\n"))
            let json = try await waymark(gateway, "describe", "EchoRequest", "--json")
            #expect(json.output.hasPrefix(#"{"comment":"What to send back.","fields":[{"comment":"Any bytes.","#))
            let nothing = try await waymark(gateway, "describe", "Nothing")
            #expect(nothing.code == 2)
            #expect(nothing.errors.hasPrefix("waymark: the target has no Nothing"))
        }
    }

    @Test("stats tells how the gateway fares, once or again and again")
    func stats() async throws {
        struct Stats: Decodable {
            let service: String
            let status: String
            let residentBytes: String
            let methods: [Method]?
        }
        struct Method: Decodable {
            let method: String
            let calls: String
        }
        func read(_ line: String) throws -> Stats { try JSONDecoder().decode(Stats.self, from: Data(line.utf8)) }
        try await withGateway { gateway in
            for _ in 0..<3 { _ = try await waymark(gateway, "call", "EchoService/Echo") }
            let once = try read(try await waymark(gateway, "stats", "--once", "--json").output)
            #expect(once.service == "gateway" && once.status == "SERVING_STATUS_SERVING")
            #expect(once.methods?.first { $0.method == "waymark.rpc.v1.EchoService/Echo" }?.calls == "3")
            let text = try await waymark(gateway, "stats", "--once").output
            #expect(text.hasPrefix("gateway \(Release.version)  serving  up "))
            #expect(text.contains("EchoService/Echo "))

            let run = try ProgramRun(
                "waymark", ["stats", "--json", "--interval", "100ms", "--target", "\(gateway.endpoint)"])
            let first = try read(try await run.line())
            #expect(first.methods?.isEmpty == false)
            for _ in 0..<2 { #expect(try read(try await run.line()).service == "gateway") }
            run.send(signal: SIGTERM)
            _ = try await run.end()
            #expect(try await waymark(gateway, "stats", "--interval", "1ms").code == 2)
        }
    }

    @Test("a gateway with tokens tells anybody what can be called, but how it fares only with a token")
    func closed() async throws {
        let folder = TemporaryFolder()
        let tokens = try folder.write("0123456789abcdef\n", to: "tokens")
        // Not on loopback alone: a gateway is open there.
        try await withGateway(["--listen", "0.0.0.0:0", "--token-file", tokens], in: folder) { gateway in
            #expect(try await waymark(gateway, "list", "EchoService").code == 0)
            let refused = try await waymark(gateway, "stats", "--once")
            #expect(refused.code == 10 + Int32(RPCCode.unauthenticated.rawValue))
            #expect(try await waymark(gateway, "stats", "--once", "--token-file", tokens).code == 0)
        }
    }

    @Test("over HTTP they are there by themselves")
    func http() async throws {
        try await withGateway { gateway in
            let port = try #require(gateway.http?.port)
            let stats = try await HTTPSocket(connectingTo: port).ask(
                "GET", "/waymark.rpc.v1.StatsService/GetStats?encoding=json&message=%7B%7D")
            #expect(stats.status == 200)
            #expect(stats.text.contains(#""service":"gateway""#))
            let list = try await HTTPSocket(connectingTo: port).ask(
                "POST", "/waymark.rpc.v1.ReflectionService/ListServices", [("Content-Type", "application/json")],
                body: Array("{}".utf8))
            #expect(list.text.contains("waymark.rpc.v1.ReflectionService"))
        }
    }
}
