import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin near`: the pins around a point.
struct PinNearCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "near"], summary: "your pins around a point", positionals: Positional.point,
        flags: Flag.circle + Flag.client, examples: ["pin near 60.1699 24.9384 --radius 20000"])

    private let options: ClientOptions
    private let request: PinsNearRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = PinsNearRequest(
            centre: try arguments.coordinate(), radiusM: try arguments.metres("radius"),
            limit: try arguments.count("limit"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PinServiceClient(link.client).pinsNear(request, options.call)
        }
        try session.answer(response) { response in
            guard !response.pins.isEmpty else { return ["There is no pin here; waymark pin add LAT LON adds one."] }
            return PinTable.lines(response.pins, on: session.console.output)
        }
        return .success
    }
}

extension Flag {
    /// How far to look, and for how many.
    static let circle = [
        Flag("radius", "LENGTH", "how far to look: 500, 500m, 1.5km; 1000 when not given"),
        Flag("limit", "N", "how many at most, 1 to 200; 20 when not given"),
    ]
}
