import Arguments
import Bytes
import Contracts
import EventLoops
import RPC
import Terminal

/// What is done with files of pins: `waymark pin import`, `export` and the like.
enum PinFileCommands {
    static let all: [any Command] = [
        BodyCommand(PinImportCommand.self), undo, list, BodyCommand(PinExportCommand.self),
    ]

    private static let undo = UnaryCommand(
        CommandSyntax(
            words: ["pin", "undo"],
            summary: "take back an import: its pins, but for those that were moved, renamed or annotated since",
            positionals: [Positional(name: "ID", summary: "the import's id; `waymark pin imports` shows it")],
            examples: ["pin undo 0190163d-8694-739b-aea5-966c26f8ad91"]),
        request: { UndoPinImportRequest(id: $0.positionals.first ?? "") },
        call: { try await PinFileServiceClient($0).undoPinImport($1, $2.longCall) },
        view: { reply in
            let it = reply.answer.import ?? PinImport()
            let tracks = it.removedTrackCount > 0 ? " and \(Quantity.count(it.removedTrackCount, "track"))" : ""
            return ["Removed \(Quantity.count(it.removedCount, "pin"))\(tracks)."]
        })

    private static let list = UnaryCommand(
        CommandSyntax(words: ["pin", "imports"], summary: "your last imports of pins, the newest first"),
        request: { _ in ListPinImportsRequest() },
        call: { try await PinFileServiceClient($0).listPinImports($1, $2.call) },
        view: {
            $0.answer.imports.isEmpty ? ["You have imported no file."] : table($0.answer.imports).lines(on: $0.sink)
        })

    private static func table(_ imports: [PinImport]) -> Table {
        var table = Table(columns: [
            .init(title: "FILE", minimum: 10, style: .bold), .init(title: "STATE"),
            .init(title: "PINS", isRight: true), .init(title: "ADDED", isRight: true),
            .init(title: "BAD", isRight: true), .init(title: "ID", style: .faint),
        ])
        table.rows = imports.map { one in
            [
                .init(one.fileName), .init(word(one.state)), .init("\(one.pinCount)"), .init("\(one.addedCount)"),
                .init("\(one.badCount)"), .init(one.id),
            ]
        }
        return table
    }

    private static func word(_ state: PinImportState) -> String {
        switch state {
        case .sent: "sent"
        case .running: "running"
        case .done: "done"
        case .undone: "undone"
        default: "unknown"
        }
    }
}

/// `waymark pin import`: makes pins of a file.
struct PinImportCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["pin", "import"], summary: "make pins of a file of another program, or of `waymark pin export`",
        positionals: [
            Positional(name: "FILE", summary: "GPX, KML, KMZ, GeoJSON, or saved places of Google Takeout: .zip, .csv")
        ],
        flags: [
            Flag("trial", "only say what the file has; store nothing"),
            Flag("request-id", "NAME", "names this change, so that it is made once however often it is asked for"),
        ] + Flag.client,
        examples: ["pin import Summer.gpx", "pin import takeout.zip --trial"])

    private let options: ClientOptions
    private let path: String
    private let name: String
    private let isTrial: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        path = arguments.positionals.first ?? ""
        name = "\(ChangeName(arguments))"
        isTrial = arguments.has("trial")
    }

    func run(_ session: Session) async throws -> ExitCode {
        var line = ProgressLine(session.console.messages)
        let outcome = try await TargetLink.with(options.target) { link in
            try await PinFileImport(path: path, name: name, isTrial: isTrial, options: options).run(link) { text in
                if !session.wantsJSON { line.show(text) }
            }
        }
        line.clear()
        if session.wantsJSON {
            for bad in outcome.bad {
                session.console.print(try Schemas.json(RunPinImportResponse(event: .badPin(bad))))
            }
            session.console.print(try Schemas.json(RunPinImportResponse(event: .import(outcome.import))))
        } else {
            PinImportView(outcome: outcome, isTrial: isTrial).bad.forEach(session.console.remark)
            PinImportView(outcome: outcome, isTrial: isTrial).lines.forEach(session.console.print)
        }
        return .success
    }
}

/// `waymark pin export`: writes pins to a file.
struct PinExportCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["pin", "export"], summary: "write your pins to a file for other programs",
        positionals: [
            Positional(
                name: "PIN", summary: "only these pins; all when not given", isOptional: true, isRepeatable: true)
        ],
        flags: [
            Flag("format", "FORMAT", "geojson, gpx, kml or kmz; when not given as FILE's name ends, else geojson"),
            Flag("output", "FILE", "where to; pins.FORMAT in this folder when not given", letter: "o"),
        ] + Flag.client,
        examples: ["pin export --format gpx -o pins.gpx", "pin export 'Railway square' --format kmz"])

    private static let formats: [String: PinFileFormat] = [
        "geojson": .geojson, "gpx": .gpx, "kml": .kml, "kmz": .kmz,
    ]

    private let options: ClientOptions
    private let words: [String]
    private let format: PinFileFormat
    private let file: OutputFile

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        words = arguments.positionals
        let output = arguments.text("output")
        let ending = output?.split(at: "/").last?.halves(atLast: ".").map { $0.1.asciiLowercased } ?? ""
        let name = arguments.text("format") ?? (Self.formats[ending] == nil ? "geojson" : ending)
        guard let format = Self.formats[name] else {
            throw UsageError("--format is \(name), allowed is geojson, gpx, kml or kmz")
        }
        self.format = format
        file = OutputFile(path: output ?? "pins.\(name)", mayReplace: output != nil)
    }

    private struct Answer: Encodable {
        let file: String
        let pins: UInt64
    }

    func run(_ session: Session) async throws -> ExitCode {
        var line = ProgressLine(session.console.messages)
        let count = try await TargetLink.with(options.target) { link in
            try await link.blocking.run { [file] in try file.check() }
            var ids: [String] = []
            for word in words { ids.append(try await PinReference.id(of: word, link, options)) }
            var (bytes, count): ([UInt8], UInt64) = ([], 0)
            let request = ExportPinsRequest(format: format, pinIds: ids)
            for try await part in PinFileServiceClient(link.client).exportPins(request, options.longCall) {
                bytes += part.data
                count = part.pinCount
                if !session.wantsJSON { line.show("\(Quantity.count(count, "pin"))") }
            }
            try await link.blocking.run { [file, bytes] in try file.write(bytes) }
            return count
        }
        line.clear()
        if session.wantsJSON {
            session.console.print(try OneLineJSON.of(Answer(file: file.path, pins: count)))
        } else {
            session.console.print("\(file.path): \(Quantity.count(count, "pin"))".printable)
        }
        return .success
    }
}
