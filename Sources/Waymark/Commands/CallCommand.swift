import EventLoops
import ProtoSchema
import RPC
import WireJSON

/// `waymark call`: any method, with JSON there and back.
struct CallCommand: Command {
    static let syntax = CommandSyntax(
        words: ["call"], summary: "call any method with JSON",
        positionals: [
            Positional(name: "SERVICE/METHOD", summary: "waymark list names them; the package may be left out"),
            Positional(
                name: "JSON", summary: "the request, @FILE or - for standard input; {} when not given", isOptional: true
            ),
        ],
        flags: Flag.client,
        examples: [
            #"call EchoService/Echo '{"payload":"aGVsbG8="}'"#,
            #"call PlacesService/Nearby '{"centre":{"latitude":60.17,"longitude":24.94},"limit":3}'"#,
        ])

    private let options: ClientOptions
    private let method: KnownMethod
    private let request: RequestSource

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        method = try KnownMethod(named: arguments.positionals.first ?? "")
        request = RequestSource(arguments.optional(at: 1) ?? "{}")
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await Link.with(options.target) { link in
            let json = try await link.blocking.run { [request] in try request.read() }
            let packed = try pack(json)
            if method.schema.isServerStreaming {
                try await stream(packed, link.client, session)
            } else {
                let answer = try await link.client.unaryBytes(method.descriptor, packed, options.call)
                session.console.print(try text(answer, pretty: session.console.output.isTerminal && !session.wantsJSON))
            }
        }
        return .success
    }

    private func pack(_ json: [UInt8]) throws -> [UInt8] {
        do {
            return try Schemas.wireJSON.pack(json: json, as: method.schema.input)
        } catch {
            throw UsageError("the request is no \(method.schema.input): \(error)")
        }
    }

    /// One answer a line, as they come.
    private func stream(_ request: [UInt8], _ client: RPCClient, _ session: Session) async throws {
        for try await answer in client.serverStreamingBytes(method.descriptor, request, options.longCall) {
            session.console.print(try text(answer, pretty: false))
        }
    }

    private func text(_ packed: [UInt8], pretty: Bool) throws(WireJSONError) -> String {
        try Schemas.json(packed: packed, of: method.schema.output, pretty: pretty)
    }
}
