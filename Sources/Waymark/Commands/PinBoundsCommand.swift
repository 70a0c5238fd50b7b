import Arguments
import Contracts
import RPC

/// `waymark pin bounds`: the box that a map has to show.
struct PinBoundsCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "bounds"], summary: "the smallest box around all your pins, or around one pin's places",
        positionals: [
            Positional(
                name: "PIN", summary: "its id, the beginning of it, or its name; all pins when not given",
                isOptional: true)
        ],
        flags: Flag.client)

    private let options: ClientOptions
    private let request: GetBoundsRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = GetBoundsRequest(pinId: arguments.pinID)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PinServiceClient(link.client).getBounds(request, options.call)
        }
        try session.answer(response) { [Self.line($0.box)] }
        return .success
    }

    /// "60.1, 24.8 to 60.2, 25"; south-west comes first.
    static func line(_ box: Box?) -> String {
        guard let box, let southWest = box.southWest, let northEast = box.northEast else {
            return "There is nothing to be in a box."
        }
        let crosses = southWest.longitude > northEast.longitude
        return "\(PinTable.position(southWest)) to \(PinTable.position(northEast))"
            + (crosses ? ", across the antimeridian" : "")
    }
}
