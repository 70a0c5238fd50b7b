import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin rename`: another name for a pin.
struct PinRenameCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "rename"], summary: "give a pin a name that stays when it moves",
        positionals: [
            .pin, Positional(name: "NAME", summary: "at most 200 characters; \"\" names it by its place again"),
        ],
        flags: Flag.change + Flag.client, examples: ["pin rename 01a1f8cb-6901-7c14-b2c1-5071771f994f 'Railway square'"]
    )

    private let options: ClientOptions
    private let request: RenamePinRequest
    private let change: ChangeName

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        request = RenamePinRequest(
            id: arguments.pinID, name: arguments.optional(at: 1) ?? "", requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PinServiceClient(link.client).renamePin(request, options.call) }
        }
        try session.answer(response) { PinTable.lines($0.pin.map { [$0] } ?? [], on: session.console.output) }
        return .success
    }
}
