import Arguments
import Bytes
import ProtoSchema
import Terminal

/// `waymark list`: the methods that a target answers.
struct ListCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["list"], summary: "the methods that the target answers",
        positionals: [
            Positional(
                name: "SERVICE", summary: "only those of this one; its package may be left out", isOptional: true)
        ],
        flags: Flag.client, examples: ["list", "list PinService", "list --target 127.0.0.1:7701 --json"])

    private let options: ClientOptions
    private let service: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        service = arguments.optional(at: 0)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let remote = try await TargetLink.with(options.target) { link in try await RemoteSchema.ask(link, options) }
        let services = try service.map { name throws(UsageError) in [try remote.service(named: name)] }
        let methods = KnownMethod.methods(of: services ?? remote.services)
        if session.wantsJSON {
            session.console.print(try Self.json(methods))
        } else {
            Self.table(methods).lines(on: session.console.output).forEach(session.console.print)
        }
        return .success
    }

    private static func table(_ methods: [KnownMethod]) -> Table {
        var table = Table(columns: [
            .init(title: "METHOD", style: .bold), .init(title: "REQUEST"), .init(title: "ANSWER"),
        ])
        table.rows = methods.map { method in
            [
                .init(method.shortPath), .init(name(method.schema.input, isStream: method.schema.isClientStreaming)),
                .init(name(method.schema.output, isStream: method.schema.isServerStreaming)),
            ]
        }
        return table
    }

    /// Without its package.
    private static func name(_ fullName: String, isStream: Bool) -> String {
        let name = fullName.split(at: ".").last.map(String.init) ?? fullName
        return isStream ? "stream of \(name)" : name
    }

    private static func json(_ methods: [KnownMethod]) throws -> String {
        struct Method: Encodable {
            let method: String
            let request: String
            let response: String
            let streamsRequests: Bool
            let streamsResponses: Bool
        }
        return try OneLineJSON.of(
            methods.map {
                Method(
                    method: $0.path, request: $0.schema.input, response: $0.schema.output,
                    streamsRequests: $0.schema.isClientStreaming, streamsResponses: $0.schema.isServerStreaming)
            })
    }
}

/// `waymark describe`: a target's description of a service, a method, a message or an enum.
struct DescribeCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["describe"], summary: "what the target knows of a service, a method, a message or an enum",
        positionals: [
            Positional(
                name: "SYMBOL", summary: "PinService, PinService/CreatePin, Pin; the package may be left out")
        ],
        flags: Flag.client, examples: ["describe PlacesService/Nearby", "describe Pin --json"])

    private let options: ClientOptions
    private let name: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        name = arguments.positionals.first ?? ""
    }

    func run(_ session: Session) async throws -> ExitCode {
        let remote = try await TargetLink.with(options.target) { link in try await RemoteSchema.ask(link, options) }
        let symbol = try remote.symbol(named: name)
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(SymbolJSON(symbol)))
        } else {
            SymbolView(remote.schema).lines(symbol).forEach {
                session.console.print($0.text(on: session.console.output))
            }
        }
        return .success
    }
}
