import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin move`: another place for a pin.
struct PinMoveCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "move"], summary: "move a pin and search again; it keeps what it has",
        positionals: [.pin] + Positional.point,
        flags: [
            Flag("radius", "LENGTH", "its new radius, 50m to 20km; as it is when not given"),
            Flag("force", "search anew also when neither the point nor the radius is another one"),
        ] + Flag.change + Flag.client,
        examples: ["pin move 01a1f8cb-6901-7c14-b2c1-5071771f994f 60.1841 24.9497 --radius 500"])

    private let options: ClientOptions
    private let request: MovePinRequest
    private let change: ChangeName

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        request = MovePinRequest(
            id: arguments.pinID,
            position: Coordinate(latitude: try arguments.number(at: 1), longitude: try arguments.number(at: 2)),
            radiusM: try arguments.metres("radius"), force: arguments.has("force"), requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PinServiceClient(link.client).movePin(request, options.call) }
        }
        try session.answer(response) { PinTable.lines($0.pin.map { [$0] } ?? [], on: session.console.output) }
        return .success
    }
}
