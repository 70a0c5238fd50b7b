import Arguments
import Contracts
import EventLoops
import RPC
import Terminal

/// `waymark photo get`: writes a photo's picture to a file.
struct PhotoGetCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["photo", "get"], summary: "write a photo's picture to a file",
        positionals: [Positional(name: "ID", summary: "the photo's id, as album show shows it")],
        flags: [
            Flag("size", "SIZE", "small (160 pixels at most), thumbnail (320, when not given) or large (2048)"),
            Flag(
                "output", "FILE", "where to; in this folder under the photo's own name when not given", letter: "o"),
        ] + Flag.client,
        examples: ["photo get folder/market.jpg", "photo get folder/market.jpg --size large -o market.jpg"])

    private let options: ClientOptions
    private let request: GetPictureRequest
    private let file: OutputFile

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        let id = arguments.positionals.first ?? ""
        request = GetPictureRequest(photoId: id, size: try Self.size(arguments.text("size")))
        file = OutputFile(arguments.text("output"), photo: id)
    }

    private static func size(_ text: String?) throws(UsageError) -> PictureSize {
        switch text {
        case nil, "thumbnail": return .thumbnail
        case "small": return .small
        case "large": return .large
        case .some(let other): throw UsageError("--size is \(other), allowed is small, thumbnail or large")
        }
    }

    func run(_ session: Session) async throws -> ExitCode {
        let picture = try await TargetLink.with(options.target) { link in
            try await link.blocking.run { [file] in try file.check() }
            let picture = try await Picture(PhotoServiceClient(link.client).getPicture(request, options.call))
            try await link.blocking.run { [file] in try file.write(picture.bytes) }
            return picture
        }
        session.console.print(session.wantsJSON ? try json(picture.info) : line(picture.info))
        return .success
    }

    private func line(_ info: PictureInfo) -> String {
        "\(file.path): \(info.width)×\(info.height), \(Quantity.bytes(info.byteCount))".printable
    }

    private func json(_ info: PictureInfo) throws -> String {
        struct Answer: Encodable {
            let file: String
            let mediaType: String
            let byteCount: UInt64
            let width: UInt32
            let height: UInt32
            let sha256: String
        }
        return try OneLineJSON.of(
            Answer(
                file: file.path, mediaType: info.mediaType, byteCount: info.byteCount, width: info.width,
                height: info.height, sha256: info.sha256))
    }
}
