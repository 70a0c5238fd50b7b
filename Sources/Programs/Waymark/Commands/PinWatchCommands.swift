import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin add`: stores a pin.
struct PinAddCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["pin", "add"], summary: "store a pin", positionals: Positional.point,
        flags: [
            Flag(
                "name", "TEXT",
                "its name, at most \(CreatePinRequest.nameLength.upperBound) characters; found by its place when not given"
            ),
            .radius(
                "how far its search looks", CreatePinRequest.radiusMRange,
                notGiven: Flag.length(CreatePinRequest.radiusMDefault)),
            Flag("watch", "watch it fill up, until its search and its album have ended"),
            .follow,
        ] + Flag.change + Flag.client,
        examples: ["pin add 60.1699 24.9384 --watch", "pin add 60.1699 24.9384 --name 'Railway square'"])

    private let options: ClientOptions
    private let request: CreatePinRequest
    private let change: ChangeName
    private let wantsWatch: Bool
    private let follows: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        follows = arguments.has("follow")
        wantsWatch = follows || arguments.has("watch")
        request = CreatePinRequest(
            position: try arguments.coordinate(), radiusM: try arguments.metres("radius"),
            name: arguments.text("name") ?? "", requestId: "\(change)")
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(options.target) { link in
            let response = try await change.calling {
                try await PinServiceClient(link.client).createPin(request, options.call)
            }
            // On a terminal the view that is redrawn shows all of it.
            if !wantsWatch || session.wantsJSON || !session.console.output.isTerminal {
                try session.answer(response) { PinTable.lines($0.pin.map { [$0] } ?? [], on: session.console.output) }
            }
            guard wantsWatch, let pin = response.pin else { return .success }
            return try await PinWatcher(options: options, follows: follows).run(link, session, from: WatchedPin(pin))
        }
    }
}

/// `waymark pin watch`: how a pin fills up.
struct PinWatchCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["pin", "watch"], summary: "watch a pin fill up, until its search and its album have ended",
        positionals: [.pin], flags: [.follow] + Flag.client,
        examples: ["pin watch 01a1f8cb-6901-7c14-b2c1-5071771f994f --timeout 1m"])

    private let watch: PinWatcher
    private let id: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        watch = PinWatcher(options: try ClientOptions(arguments), follows: arguments.has("follow"))
        id = arguments.pinID
    }

    func run(_ session: Session) async throws -> ExitCode {
        try await TargetLink.with(watch.options.target) { link in
            try await watch.run(link, session, from: WatchedPin(id: id))
        }
    }
}
