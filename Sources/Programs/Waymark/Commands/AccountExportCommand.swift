import AlbumArchive
import Arguments
import Contracts
import EventLoops
import RPC
import Terminal

/// `waymark export`: writes all that an account has to an archive.
struct AccountExportCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["export"],
        summary: "write all that your account has to a ZIP archive that opens in a browser",
        positionals: [Positional(name: "FILE", summary: "where to; a file that is there is replaced")],
        flags: Flag.client, examples: ["export waymark.zip"])

    private let options: ClientOptions
    private let file: OutputFile

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        file = OutputFile(path: arguments.optional(at: 0) ?? "", mayReplace: true)
    }

    private struct Answer: Encodable {
        let file: String
        let photos: Int
        let leftOut: [LeftOutPhoto]
    }

    /// A photo that can't be had is left out, which is a failure that says so.
    func run(_ session: Session) async throws -> ExitCode {
        let archive = try await TargetLink.with(options.target) { link in
            try await link.blocking.run { [file] in try file.check() }
            var draft = try await link.blocking.run { [file] in try ArchiveDraft(of: file) }
            do {
                let (client, options) = (link.client, options)
                var archive = AccountArchive { method in
                    (client, method.kind == .unary ? options.call : options.longCall)
                }
                try await archive.write { try await draft.write($0, on: link.blocking) }
                try await link.blocking.run { [draft] in try draft.keep() }
                return archive
            } catch {
                try await link.blocking.run { [draft] in try draft.drop() }
                throw error
            }
        }
        if session.wantsJSON {
            let answer = Answer(file: file.path, photos: archive.photoCount, leftOut: archive.leftOut)
            session.console.print(try OneLineJSON.of(answer))
        } else {
            for photo in archive.leftOut { session.console.remark("left out: \(photo.id): \(photo.reason)".printable) }
            session.console.print(
                "\(file.path): your account, \(Quantity.count(archive.photoCount, "photo"))".printable)
        }
        return archive.leftOut.isEmpty ? .success : .failure
    }
}
