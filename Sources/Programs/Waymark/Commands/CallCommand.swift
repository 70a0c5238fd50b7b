import Arguments
import EventLoops
import ProtoSchema
import RPC
import Terminal
import WireJSON

/// `waymark call`: any method, with JSON there and back.
struct CallCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["call"], summary: "call any method with JSON",
        positionals: [
            Positional(name: "SERVICE/METHOD", summary: "waymark list names them; the package may be left out"),
            Positional(
                name: "JSON",
                summary: "the request, @FILE or - for standard input; {} when not given; one a line for a stream",
                isOptional: true),
        ],
        flags: Flag.client,
        examples: [
            #"call EchoService/Echo '{"payload":"aGVsbG8="}'"#,
            #"call PlacesService/Nearby '{"centre":{"latitude":60.17,"longitude":24.94},"limit":3}'"#,
        ])

    private let options: ClientOptions
    private let method: KnownMethod
    private let request: RequestInput

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        method = try KnownMethod(named: arguments.positionals.first ?? "")
        request = RequestInput(arguments.optional(at: 1) ?? "{}")
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(options.target) { link in
            let json = try await link.blocking.run { [request] in try request.read() }
            switch method.descriptor.kind {
            case .unary:
                try show(await link.client.unaryBytes(method.descriptor, try method.pack(json), options.call), session)
            case .serverStreaming:
                let answers = link.client.serverStreamingBytes(
                    method.descriptor, try method.pack(json), options.longCall)
                try await showAll(answers, session)
            case .clientStreaming: try await send(method.packLines(json), link.client, session)
            case .bidirectional: try await exchange(method.packLines(json), link.client, session)
            }
        }
        return .success
    }

    private func send(_ requests: [[UInt8]], _ client: RPCClient, _ session: Session) async throws {
        let answer = try await client.clientStreamingBytes(method.descriptor, options.longCall) { writer in
            for request in requests { try await writer.write(packed: request) }
        }
        try show(answer, session)
    }

    private func exchange(_ requests: [[UInt8]], _ client: RPCClient, _ session: Session) async throws {
        try await client.bidirectionalBytes(method.descriptor, options.longCall) { writer, answers in
            async let sent: Void = {
                for request in requests { try await writer.write(packed: request) }
                await writer.finish()
            }()
            try await showAll(answers, session)
            try await sent
        }
    }

    private func show(_ answer: [UInt8], _ session: Session) throws {
        session.console.print(try text(answer, pretty: session.console.output.isTerminal && !session.wantsJSON))
    }

    /// One answer a line, as they come.
    private func showAll(_ answers: ResponseStream<[UInt8]>, _ session: Session) async throws {
        for try await answer in answers { session.console.print(try text(answer, pretty: false)) }
    }

    private func text(_ packed: [UInt8], pretty: Bool) throws(WireJSONError) -> String {
        try Schemas.json(packed: packed, of: method.schema.output, pretty: pretty)
    }
}
