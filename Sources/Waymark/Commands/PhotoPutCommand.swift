import Arguments
import Contracts
import RPC
import Terminal
import Wire

/// `waymark photo put`: stores the record of a photo.
struct PhotoPutCommand: Command {
    static let syntax = CommandSyntax(
        words: ["photo", "put"], summary: "store the record of a photo, or replace it",
        positionals: [Positional(name: "ID", summary: "network and id there: mine/0001")] + Positional.point,
        flags: [
            Flag("title", "TEXT", "its caption"),
            Flag("author", "NAME", "who made it"),
            Flag("licence", "NAME", "under which licence it may be shown"),
            Flag("source", "URL", "the page that shows it"),
            Flag("original", "URL", "where its bytes are; https"),
            Flag("width", "PIXELS", "its width"),
            Flag("height", "PIXELS", "its height"),
        ] + Flag.change + Flag.client,
        examples: ["photo put mine/0001 60.1699 24.9384 --title 'Snow on the square' --author 'A. Reader'"])

    private let options: ClientOptions
    private let photo: Photo
    private let change: ChangeName

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        change = ChangeName(arguments)
        photo = Photo(
            id: arguments.positionals.first ?? "", title: arguments.text("title") ?? "",
            position: Coordinate(latitude: try arguments.number(at: 1), longitude: try arguments.number(at: 2)),
            author: arguments.text("author") ?? "", licence: arguments.text("licence") ?? "",
            sourceUrl: arguments.text("source") ?? "", originalUrl: arguments.text("original") ?? "",
            width: try arguments.count("width") ?? 0, height: try arguments.count("height") ?? 0)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let request = PutPhotoRequest(photo: photo, requestId: "\(change)")
        let response = try await Link.with(options.target) { link in
            try await change.calling { try await PhotoServiceClient(link.client).putPhoto(request, options.call) }
        }
        try session.answer(response) { PhotoTable.lines($0.photo.map { [$0] } ?? [], on: session.console.output) }
        return .success
    }
}
