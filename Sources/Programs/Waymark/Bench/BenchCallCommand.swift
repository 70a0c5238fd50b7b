import Arguments
import EventLoops
import LoadTest
import RPC
import Terminal
import WireJSON

/// `waymark bench call`: a load of any method with one answer.
struct BenchCallCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["bench", "call"], summary: "load test of any method",
        positionals: [
            Positional(name: "SERVICE/METHOD", summary: "waymark list names them; the package may be left out")
        ],
        flags: [
            Flag("request", "JSON", "the request, or @FILE or - for standard input with one a line; {} when not given")
        ] + LoadOptions.flags + Flag.client,
        examples: [
            #"bench call EchoService/Echo --rate 1000 --request '{"payload":"aGVsbG8="}'"#,
            "bench call ExploreService/Explore --request @points.jsonl --concurrency 8",
        ])

    private let options: ClientOptions
    private let load: LoadOptions
    private let method: KnownMethod
    private let source: RequestInput

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        load = try LoadOptions(arguments)
        method = try KnownMethod(named: arguments.positionals.first ?? "")
        source = RequestInput(arguments.text("request") ?? "{}")
        guard method.descriptor.kind == .unary else {
            throw UsageError("\(method.shortPath) is a stream; a load is made of calls with one answer")
        }
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await LoadBench(client: options, load: load).run(session) { _, blocking in
            let json = try await blocking.run { [source] in try source.read() }
            let requests = try method.packLines(json)
            guard !requests.isEmpty else { throw UsageError("--request contains no request") }
            return Workload(
                method.descriptor, requests: requests, description: Quantity.count(requests.count, "request"),
                seed: load.seed)
        }
    }
}
