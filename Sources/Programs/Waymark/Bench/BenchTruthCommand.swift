import Arguments
import Bytes
import Contracts
import EventLoops
import Glibc
import LoadTest
import Supervisor
import Terminal

/// `waymark bench truth`: the radius search against answers that another program found by brute force.
struct BenchTruthCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["bench", "truth"], summary: "check the radius search against known right answers",
        flags: [
            Flag("truth", "FILE", "the answers, a JSON object a line: lat, lon, radius_m, count, nearest"),
            Flag("data", "DATASET", "a dataset of the target, or a file, which a service started for it reads"),
            Flag("bin-dir", "DIR", "where the services' programs are; next to this one by default"),
        ] + Flag.columns + Flag.client,
        examples: [
            "bench truth --truth truth.jsonl --data helsinki", "bench truth --truth truth.jsonl --data places.csv.gz",
        ])

    /// What the dataset made of a file is called.
    private static let fileDataset = "truth"

    private let options: ClientOptions
    private let truth: String
    private let data: String
    private let programs: String?
    private let columns: ColumnMap?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        guard let truth = arguments.text("truth") else {
            throw UsageError("--truth is missing: the file with the right answers")
        }
        guard let data = arguments.text("data") else { throw UsageError("--data is missing: a dataset, or a file") }
        self.truth = truth
        self.data = data
        programs = arguments.text("bin-dir")
        columns = arguments.columns
        if isFile, arguments.has("target") {
            throw UsageError(
                "--data \(data) is a file, which a service started for it reads; --target does not go with that")
        }
    }

    private var isFile: Bool { unsafe access(data, F_OK) == 0 }

    func run(_ session: Session) async throws -> ExitCode {
        let (report, elapsed) = try await isFile ? runOnFile(session) : run(options, dataset: data)
        if session.wantsJSON {
            session.console.print(try report.json(elapsed: elapsed))
        } else {
            report.lines(on: session.console.output, elapsed: elapsed).forEach(session.console.print)
        }
        return report.hasMisses ? .failure : .success
    }

    private func run(_ options: ClientOptions, dataset: String) async throws -> (TruthReport, Duration) {
        try await TargetLink.with(options.target) { link in
            try await TruthRun(truth: truth, dataset: dataset) { options.call }.run(
                PlacesServiceClient(link.client), reading: link.blocking, data: data)
        }
    }

    /// Imports the file into services of its own, and asks those.
    private func runOnFile(_ session: Session) async throws -> (TruthReport, Duration) {
        let services = PrivateServices(
            programs: try ProgramFolder(programs), signals: try StopSignals(),
            maximumRadius: Int(TruthRun.everywhere))
        return try await services.run { gateway in
            let options = options.aimed(at: gateway)
            try await TargetLink.with(options.target) { link in try await importFile(link, options, session) }
            return try await run(options, dataset: Self.fileDataset)
        }
    }

    private func importFile(_ link: TargetLink, _ options: ClientOptions, _ session: Session) async throws {
        let request = BeginImportRequest(
            dataset: Self.fileDataset, fileName: data.split(at: "/").last.map(String.init) ?? data,
            columns: columns)
        var report = ImportReport(session, for: session.wantsJSON ? .nobody : .person)
        let summary = try await FileImport(paths: [data], request: request, maximumBadRows: nil, options: options)
            .run(link, &report)
        report.finished(summary)
    }
}
