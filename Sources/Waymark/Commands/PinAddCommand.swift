import Contracts
import RPC

/// `waymark pin add`: stores a pin.
struct PinAddCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "add"], summary: "store a pin", positionals: Positional.point,
        flags: [
            Flag("name", "TEXT", "its name, at most 200 characters; found by its place when not given"),
            Flag("radius", "METRES", "how far its search looks, 50 to 20000; 1000 when not given"),
        ] + Flag.client,
        examples: ["pin add 60.1699 24.9384 --name 'Railway square'"])

    private let options: ClientOptions
    private let request: CreatePinRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = CreatePinRequest(
            position: try arguments.coordinate(), radiusM: try arguments.number("radius"),
            name: arguments.text("name") ?? "")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PinServiceClient(link.client).createPin(request, options.call)
        }
        try session.answer(response) { PinTable.lines($0.pin.map { [$0] } ?? [], on: session.console.output) }
        return .success
    }
}
