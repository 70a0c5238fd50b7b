import Arguments
import RPC
import Terminal
import Wire

/// A command that makes one call and shows the answer: a table of arguments, the request made from them, the call, and
/// the lines in which a person reads the answer.
struct UnaryCommand<Request: Sendable, Answer: WireMessage>: Command {
    typealias Call = @Sendable (RPCClient, Request, ClientOptions) async throws -> Answer
    typealias View = @Sendable (Reply) -> [String]

    /// What a view is made of.
    struct Reply {
        let request: Request
        let answer: Answer
        let sink: TextSink
    }

    let syntax: CommandSyntax
    /// Makes the request. The name is that of the change, if it is one.
    let request: @Sendable (ParsedArguments, ChangeName) throws -> Request
    private let call: Call
    private let view: View
    private let isChange: Bool

    /// A command that changes nothing.
    /// - Parameter syntax: its table without the flags that every client has.
    init(
        _ syntax: CommandSyntax, request: @escaping @Sendable (ParsedArguments) throws -> Request,
        call: @escaping Call, view: @escaping View
    ) {
        self.syntax = syntax.adding(Flag.client)
        self.request = { arguments, _ in try request(arguments) }
        self.call = call
        self.view = view
        isChange = false
    }

    /// A command that changes something, once for each name of a change.
    /// - Parameter syntax: its table without the flags that every change and every client has.
    init(
        changing syntax: CommandSyntax,
        request: @escaping @Sendable (ParsedArguments, ChangeName) throws -> Request, call: @escaping Call,
        view: @escaping View
    ) {
        self.syntax = syntax.adding(Flag.change + Flag.client)
        self.request = request
        self.call = call
        self.view = view
        isChange = true
    }

    func run(_ arguments: ParsedArguments, _ session: Session) async throws -> ExitCode {
        let options = try ClientOptions(arguments)
        let change = ChangeName(arguments)
        let request = try request(arguments, change)
        let answer = try await TargetLink.with(options.target) { link in
            guard isChange else { return try await call(link.client, request, options) }
            return try await change.calling { try await call(link.client, request, options) }
        }
        try session.answer(answer) { view(Reply(request: request, answer: $0, sink: session.console.output)) }
        return .success
    }
}

extension CommandSyntax {
    /// The same with more flags behind its own.
    func adding(_ flags: [Flag]) -> CommandSyntax {
        var syntax = self
        syntax.flags += flags
        return syntax
    }
}
