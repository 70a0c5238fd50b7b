import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin rm`: removes a pin.
struct PinRemoveCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "rm"], summary: "remove a pin, its links to places and its album", positionals: [.pin],
        flags: Flag.change + Flag.client)

    private let options: ClientOptions
    private let request: DeletePinRequest
    private let change: ChangeName

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        request = DeletePinRequest(id: arguments.pinID, requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PinServiceClient(link.client).deletePin(request, options.call) }
        }
        try session.answer(response) {
            [
                "The pin is gone; \(Quantity.count($0.placeCount, "place")) \($0.placeCount == 1 ? "was" : "were") linked to it."
            ]
        }
        return .success
    }
}
