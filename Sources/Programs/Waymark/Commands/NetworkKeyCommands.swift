import Arguments
import Contracts
import EventLoops
import Files
import Networks
import RPC
import Terminal

/// What is done with the keys of one's own for networks: `waymark network-key …`.
enum NetworkKeyCommands {
    static let all: [any Command] = [BodyCommand(NetworkKeySetCommand.self), list, delete]

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["network-key", "list"], summary: "your keys for networks, without the keys themselves",
            examples: ["network-key list"]),
        request: { _ in ListNetworkKeysRequest() },
        call: { try await NetworkKeyServiceClient($0).listNetworkKeys($1, $2.call) },
        view: { lines($0.answer, on: $0.sink) })

    private static let delete = UnaryCommand(
        CommandSyntax(
            words: ["network-key", "delete"], summary: "delete a key, and the photos that it shows from all albums",
            positionals: [.network], flags: [server], examples: ["network-key delete immich"]),
        request: {
            DeleteNetworkKeyRequest(network: $0.positionals.first ?? "", server: $0.text("server") ?? "")
        },
        call: { try await NetworkKeyServiceClient($0).deleteNetworkKey($1, $2.call) },
        view: { reply in
            let network = reply.request.network
            return [
                (reply.answer.deleted ? "The key for \(network) is deleted." : "There is no key for \(network).")
                    .printable
            ]
        })

    fileprivate static let server = Flag(
        "server", "URL", "the server that it is for; needed where there are several")

    private static func lines(_ answer: ListNetworkKeysResponse, on sink: TextSink) -> [String] {
        guard !answer.servers.isEmpty || !answer.keys.isEmpty else {
            return ["The operator allows no server that keys can be for."]
        }
        var table = Table(columns: [
            .init(title: "NETWORK", style: .bold), .init(title: "SERVER", minimum: 20),
            .init(title: "KEY", minimum: 20),
        ])
        let given = answer.keys.map { [$0.network, $0.server, $0.problem.isEmpty ? "works" : $0.problem] }
        let open = answer.servers.filter { server in
            !answer.keys.contains { $0.network == server.network && $0.server == server.server }
        }
        table.rows = (given + open.map { [$0.network, $0.server, "none"] }).map { $0.map { .init($0) } }
        return table.lines(on: sink)
    }
}

extension Positional {
    fileprivate static let network = Positional(
        name: "NETWORK", summary: "the network: \(Network.ofKeys.names.joined(separator: " or "))")
}

/// `waymark network-key set`: the key comes from a file or a pipe, so that no list of processes has it.
struct NetworkKeySetCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["network-key", "set"], summary: "show photos of your own library at a network in your albums",
        positionals: [.network],
        flags: [
            NetworkKeyCommands.server,
            Flag("key-file", "FILE", "the key, in its first line; from standard input without it"),
        ] + Flag.client,
        examples: ["network-key set immich --key-file ~/immich.key"])

    private static let longestFile = 4_096

    private let options: ClientOptions
    private let network: String
    private let server: String
    private let file: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        network = arguments.positionals.first ?? ""
        server = arguments.text("server") ?? ""
        file = arguments.text("key-file") ?? "/dev/stdin"
    }

    func run(_ session: Session) async throws -> ExitCode {
        let answer = try await TargetLink.with(options.target) { link in
            let bytes = try await link.blocking.run { [file] in try SmallFile.read(file, limit: Self.longestFile) }
            let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            let request = SetNetworkKeyRequest(network: network, server: server, key: line)
            return try await NetworkKeyServiceClient(link.client).setNetworkKey(request, options.call)
        }
        try session.answer(answer) { answer in
            ["The key for \(answer.key?.network ?? network) at \(answer.key?.server ?? server) is kept.".printable]
        }
        return .success
    }
}
