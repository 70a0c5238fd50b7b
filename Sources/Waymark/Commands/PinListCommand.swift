import Arguments
import Contracts
import RPC
import Terminal

/// `waymark pin list`: all pins.
struct PinListCommand: Command {
    static let syntax = CommandSyntax(
        words: ["pin", "list"], summary: "all your pins, the newest first", flags: Flag.client)

    private let options: ClientOptions
    private static let pageSize: UInt32 = 500

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try ClientOptions(arguments) }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in try await all(PinServiceClient(link.client)) }
        try session.answer(response) { response in
            guard !response.pins.isEmpty else { return ["There is no pin; waymark pin add LAT LON adds one."] }
            return PinTable.lines(response.pins, on: session.console.output)
        }
        return .success
    }

    private func all(_ pins: PinServiceClient) async throws -> ListPinsResponse {
        var answer = ListPinsResponse()
        repeat {
            let request = ListPinsRequest(pageSize: Self.pageSize, pageToken: answer.nextPageToken)
            let page = try await pins.listPins(request, options.call)
            answer.pins += page.pins
            answer.nextPageToken = page.nextPageToken
        } while !answer.nextPageToken.isEmpty
        return answer
    }
}
