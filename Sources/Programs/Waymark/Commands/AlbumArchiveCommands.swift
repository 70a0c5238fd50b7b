import AlbumArchive
import Arguments
import Contracts
import RPC
import Terminal

/// `waymark album export`: writes an album to an archive.
struct AlbumExportCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["album", "export"], summary: "write an album to a ZIP archive that opens in a browser",
        positionals: [.album, Positional(name: "FILE", summary: "where to; a file that is there is replaced")],
        flags: Flag.client, examples: ["album export 'Railway square' square.zip"])

    private let options: ClientOptions
    private let subject: String
    private let file: OutputFile

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        subject = try arguments.subject()
        file = OutputFile(path: arguments.optional(at: 1) ?? "", mayReplace: true)
    }

    private struct Answer: Encodable {
        let file: String
        let subject: String
        let photos: Int
        let leftOut: [LeftOutPhoto]
    }

    /// A photo that can't be had is left out, which is a failure that says so.
    func run(_ session: Session) async throws -> ExitCode {
        var line = ProgressLine(session.console.messages)
        let manifest = try await TargetLink.with(options.target) { link in
            try await AlbumExport(
                subject: subject, output: file, options: options, photos: PhotoServiceClient(link.client),
                pins: PinServiceClient(link.client), blocking: link.blocking
            ).run { number, count in line.show("photo \(number) of \(count)") }
        }
        line.clear()
        let leftOut = manifest.leftOut ?? []
        if session.wantsJSON {
            let answer = Answer(
                file: file.path, subject: subject, photos: manifest.photos.count, leftOut: leftOut)
            session.console.print(try OneLineJSON.of(answer))
        } else {
            for photo in leftOut { session.console.remark("left out: \(photo.id): \(photo.reason)".printable) }
            session.console.print("\(file.path): \(Quantity.count(manifest.photos.count, "photo"))".printable)
        }
        return leftOut.isEmpty ? .success : .failure
    }
}

/// `waymark album verify`: says whether an archive is whole.
struct AlbumVerifyCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["album", "verify"], summary: "check that an archive of an album is whole, bit by bit",
        positionals: [.archive], examples: ["album verify square.zip"])

    private let path: String

    init(_ arguments: ParsedArguments) throws(UsageError) { path = arguments.optional(at: 0) ?? "" }

    func run(_ session: Session) async throws -> ExitCode {
        let check = try await ArchiveReading.check(path)
        if session.wantsJSON {
            session.console.print(try ArchiveReading.json(check))
        } else if let manifest = check.manifest, check.problems.isEmpty {
            session.console.print(
                "\(path): \(Quantity.count(manifest.photos.count, "photo")), all as they were exported".printable)
        } else {
            ArchiveReading.lines(check).forEach(session.console.print)
        }
        return check.problems.isEmpty ? .success : .failure
    }
}

/// `waymark album import`: brings the photos of an archive into a pin's album.
struct AlbumImportCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["album", "import"], summary: "bring the photos of an archive into a pin's album, as photos of your own",
        positionals: [.archive],
        flags: [
            Flag("pin", "PIN", "the pin whose album gets them; the pin that the archive describes when not given")
        ] + Flag.client,
        examples: ["album import square.zip", "album import square.zip --pin 'Railway square'"])

    private let options: ClientOptions
    private let path: String
    private let pin: String

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        path = arguments.optional(at: 0) ?? ""
        pin = arguments.text("pin") ?? ""
    }

    /// Nothing is brought of an archive that is not whole.
    func run(_ session: Session) async throws -> ExitCode {
        let check = try await ArchiveReading.check(path)
        guard let manifest = check.manifest, check.problems.isEmpty else {
            if session.wantsJSON {
                session.console.print(try ArchiveReading.json(check))
            } else {
                (ArchiveReading.lines(check) + ["Nothing was imported."]).forEach(session.console.remark)
            }
            return .failure
        }
        var line = ProgressLine(session.console.messages)
        let report = try await TargetLink.with(options.target) { link in
            let id = try await PinReference.id(of: pin, link, options)
            return try await AlbumImport(path: path, manifest: manifest, options: options, link: link)
                .run(into: id) { number, count in line.show("photo \(number) of \(count)") }
        }
        line.clear()
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(report))
        } else {
            session.console.print(
                "pin/\(report.pin): \(Quantity.count(report.added, "photo")) added, \(report.known) there before")
        }
        return .success
    }
}
