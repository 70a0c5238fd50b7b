import Arguments
import Bytes
import Contracts
import EventLoops
import RPC

/// `waymark import`: puts a file's places in the catalog, as one dataset.
struct ImportCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["import"], summary: "put a file's places in the catalog, or bring a dataset up to date",
        positionals: [
            Positional(
                name: "FILE",
                summary: ".osm.pbf, GeoJSON, GPX, KML, CSV or TSV with a header, GeoNames; .osc for --update; .gz too",
                isRepeatable: true)
        ],
        flags: [
            Flag("dataset", "NAME", "the dataset to make or replace: 1 to 63 of a-z, 0-9, - and _"),
            Flag("update", "the files are changes (.osc): they are applied, in this order, to what it was made of"),
            Flag("follow", "an .osm.pbf is brought up to date every day, by the diffs of the folder that it names"),
            Flag("updates", "URL", "the folder with its diffs, where the file names none, or another one is wanted"),
            Flag(
                "format", "FORMAT",
                "csv, tsv, geojson, pbf, geonames, addresses, gpx, kml or osc; by its name when not given"),
        ] + Flag.columns + [
            Flag("title", "TEXT", "a title for people"),
            Flag("attribution", "TEXT", "the attribution to show with its places"),
            Flag("licence", "TEXT", "under which licence it may be used"),
            Flag("max-bad", "N", "give up after so many bad rows; 1000 when not given"),
        ] + Flag.client,
        examples: [
            "import finland-latest.osm.pbf --dataset finland",
            "import finland-latest.osm.pbf --dataset finland --follow",
            "import --update 618.osc.gz 619.osc.gz --dataset finland",
            "import places.csv --dataset mine",
            "import addresses.csv --dataset houses --format addresses",
            "import towns.tsv.gz --dataset towns --id geonameid --name-column asciiname",
        ])

    private let options: ClientOptions
    private let paths: [String]
    private let request: BeginImportRequest
    private let maximumBadRows: UInt64?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        paths = arguments.positionals
        let isUpdate = arguments.has("update")
        guard paths.count == 1 || isUpdate else {
            throw UsageError("\(paths.count) files are given; only --update takes several")
        }
        guard !isUpdate || ["osc", nil].contains(arguments.text("format")) else {
            throw UsageError("--format is \(arguments.text("format") ?? ""); --update takes files of changes alone")
        }
        guard paths.count <= FileImport.maximumFiles else {
            throw UsageError("\(paths.count) files are given; --update takes up to \(FileImport.maximumFiles) at once")
        }
        guard let dataset = arguments.text("dataset") else {
            throw UsageError("--dataset is missing: the name of the dataset")
        }
        maximumBadRows = try arguments.count("max-bad")
        request = BeginImportRequest(
            dataset: dataset, format: isUpdate ? .osmChanges : try arguments.importFormat(), columns: arguments.columns,
            title: arguments.text("title") ?? "",
            attribution: arguments.text("attribution") ?? "", licence: arguments.text("licence") ?? "",
            follow: arguments.has("follow"),
            updatesUrl: arguments.text("updates") ?? "", requestId: "\(ChangeName(arguments))")
    }

    func run(_ session: Session) async throws -> ExitCode {
        var report = ImportReport(session)
        let summary = try await TargetLink.with(options.target) { link in
            try await FileImport(paths: paths, request: request, maximumBadRows: maximumBadRows, options: options)
                .run(link, &report)
        }
        report.finished(summary)
        return .success
    }
}
