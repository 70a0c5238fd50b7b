import Arguments
import Contracts
import RPC

/// `waymark photo scan`: has the folder of pictures looked through.
struct PhotoScanCommand: Command {
    static let syntax = CommandSyntax(
        words: ["photo", "scan"], summary: "look through the folder of pictures for what is new, changed or gone",
        flags: Flag.client)

    private let options: ClientOptions

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try ClientOptions(arguments) }

    func run(_ session: Session) async throws -> ExitCode {
        var report = ScanReport(session)
        try await Link.with(options.target) { link in
            for try await answer in PhotoServiceClient(link.client).scanPictures(
                ScanPicturesRequest(), options.longCall)
            {
                try report.received(answer)
            }
        }
        try report.finished()
        return .success
    }
}
