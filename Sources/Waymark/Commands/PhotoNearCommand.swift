import Arguments
import Contracts
import RPC
import Terminal

/// `waymark photo near`: the photos around a point.
struct PhotoNearCommand: Command {
    static let syntax = CommandSyntax(
        words: ["photo", "near"], summary: "stored photos around a point", positionals: Positional.point,
        flags: Flag.circle + Flag.client, examples: ["photo near 60.1699 24.9384"])

    private let options: ClientOptions
    private let request: PhotosNearRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = PhotosNearRequest(
            centre: try arguments.coordinate(), radiusM: try arguments.metres("radius"),
            limit: try arguments.count("limit"))
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PhotoServiceClient(link.client).photosNear(request, options.call)
        }
        try session.answer(response) { response in
            guard !response.photos.isEmpty else { return ["There is no photo here."] }
            return PhotoTable.lines(response.photos, on: session.console.output)
        }
        return .success
    }
}
