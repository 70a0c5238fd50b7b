import Arguments
import Contracts
import RPC
import Terminal

/// What is done with photos: `waymark photo …`.
enum PhotoCommands {
    static let all: [any Command] = [
        BodyCommand(PhotoAddCommand.self), delete, info, BodyCommand(PhotoGetCommand.self),
        leftOut, near, put, BodyCommand(PhotoScanCommand.self),
    ]

    private static let delete = UnaryCommand(
        CommandSyntax(
            words: ["photo", "delete"], summary: "delete a photo that you uploaded, from all albums too",
            positionals: [.photo], examples: ["photo delete upload/3f2a9c0b5d1e4f60a7b8c9d0e1f2a3b4"]),
        request: { DeletePhotoRequest(id: $0.positionals.first ?? "") },
        call: { try await UploadServiceClient($0).deletePhoto($1, $2.call) },
        view: { ["\($0.request.id) is deleted.".printable] })

    private static let info = UnaryCommand(
        CommandSyntax(
            words: ["photo", "info"], summary: "all that is known of a photo", positionals: [.photo],
            examples: ["photo info folder/market.jpg"]),
        request: { GetPhotoRequest(id: $0.positionals.first ?? "") },
        call: { try await PhotoServiceClient($0).getPhoto($1, $2.call) },
        view: { PhotoView(photo: $0.answer.photo ?? Photo(), liked: $0.answer.liked, sink: $0.sink).lines })

    private static let leftOut = UnaryCommand(
        CommandSyntax(
            words: ["photo", "left-out"], summary: "what of the folder of pictures is no photo, and why",
            examples: ["photo left-out"]),
        request: { _ in ListLeftOutFilesRequest(pageSize: ListLeftOutFilesRequest.pageSizeRange.upperBound) },
        call: { client, request, options in
            try await allPages(request) { try await PhotoServiceClient(client).listLeftOutFiles($0, options.call) }
        },
        view: { reply in
            guard reply.answer.hasFolder else { return ["There is no folder of pictures."] }
            guard !reply.answer.files.isEmpty else { return ["Every picture in the folder is a photo."] }
            var table = Table(columns: [
                .init(title: "FILE", minimum: 14, style: .bold), .init(title: "WHY", minimum: 20, rank: 0),
            ])
            table.rows = reply.answer.files.map { [.init($0.path), .init($0.reason)] }
            return table.lines(on: reply.sink)
        })

    private static let near = UnaryCommand(
        CommandSyntax.around(
            ["photo", "near"], "stored photos around a point",
            example: "photo near 60.1699 24.9384 --network commons --from 2020-01-01"
        ).adding([
            Flag("network", "NAME", "only of this network", isRepeatable: true),
            Flag("licence", "NAME", "only under this licence, as photo info shows it", isRepeatable: true),
            Flag("from", "DATE", "only taken on this day or later: 2024-05-17, or a time in UTC"),
            Flag("before", "DATE", "only taken before this day"),
        ]),
        request: {
            PhotosNearRequest(
                centre: try $0.coordinate(), radiusM: try $0.metres("radius"), limit: try $0.count("limit"),
                networks: $0.all("network"), licences: $0.all("licence"), takenFrom: try $0.moment("from"),
                takenBefore: try $0.moment("before"))
        },
        call: { try await PhotoServiceClient($0).photosNear($1, $2.call) },
        view: { reply in
            guard !reply.answer.photos.isEmpty else { return ["There is no photo here."] }
            return PhotoTable.lines(reply.answer.photos, on: reply.sink)
        })

    /// Stores the record of a photo.
    private static let put = UnaryCommand(
        changing: CommandSyntax(
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
                Flag("tag", "WORD", "a tag of it", isRepeatable: true),
            ],
            examples: ["photo put mine/0001 60.1699 24.9384 --title 'Snow on the square' --author 'A. Reader'"]),
        request: { arguments, change in
            let photo = Photo(
                id: arguments.positionals.first ?? "", title: arguments.text("title") ?? "",
                position: try arguments.coordinate(at: 1), author: arguments.text("author") ?? "",
                licence: arguments.text("licence") ?? "", sourceUrl: arguments.text("source") ?? "",
                originalUrl: arguments.text("original") ?? "", width: try arguments.count("width") ?? 0,
                height: try arguments.count("height") ?? 0, tags: arguments.all("tag"))
            return PutPhotoRequest(photo: photo, requestId: "\(change)")
        },
        call: { try await PhotoServiceClient($0).putPhoto($1, $2.call) },
        view: { PhotoTable.lines($0.answer.photo.map { [$0] } ?? [], on: $0.sink) })
}

/// `waymark photo scan`: has the folder of pictures looked through.
struct PhotoScanCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["photo", "scan"], summary: "look through the folder of pictures for what is new, changed or gone",
        flags: Flag.client)

    private let options: ClientOptions

    init(_ arguments: ParsedArguments) throws(UsageError) { options = try ClientOptions(arguments) }

    func run(_ session: Session) async throws -> ExitCode {
        var report = ScanReport(session)
        try await TargetLink.with(options.target) { link in
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

extension ListLeftOutFilesRequest: PageRequest {}
extension ListLeftOutFilesResponse: Page {
    mutating func append(_ page: ListLeftOutFilesResponse) { files += page.files }
}
