import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin show`: one pin and how far its search is.
struct PinShowCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "show"], summary: "one pin, and how far its search is", positionals: [.pin], flags: Flag.client)

    private let options: ClientOptions
    private let request: GetPinRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = GetPinRequest(id: arguments.pinID)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PinServiceClient(link.client).getPin(request, options.call)
        }
        try session.answer(response) { PinView(pin: $0.pin ?? Pin(), sink: session.console.output).lines }
        return .success
    }
}
