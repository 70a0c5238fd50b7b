import Arguments
import Bytes
import Contracts
import EventLoops
import RPC

/// `waymark import`: puts a file's places in the catalog, as one dataset.
struct ImportCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["import"], summary: "put a file's places in the catalog, in place of a dataset",
        positionals: [
            Positional(
                name: "FILE", summary: ".osm.pbf, GeoJSON, GPX, KML, CSV or TSV with a header, GeoNames; .gz too")
        ],
        flags: [
            Flag("dataset", "NAME", "the dataset to make or replace: 1 to 63 of a-z, 0-9, - and _"),
            Flag(
                "format", "FORMAT",
                "csv, tsv, geojson, pbf, geonames, addresses, gpx or kml; by its name when not given"),
        ] + Flag.columns + [
            Flag("title", "TEXT", "a title for people"),
            Flag("attribution", "TEXT", "the attribution to show with its places"),
            Flag("licence", "TEXT", "under which licence it may be used"),
            Flag("max-bad", "N", "give up after so many bad rows; 1000 when not given"),
        ] + Flag.client,
        examples: [
            "import finland-latest.osm.pbf --dataset finland",
            "import places.csv --dataset mine",
            "import addresses.csv --dataset houses --format addresses",
            "import towns.tsv.gz --dataset towns --id geonameid --name-column asciiname",
        ])

    private let options: ClientOptions
    private let path: String
    private let request: BeginImportRequest
    private let maximumBadRows: UInt64?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        path = arguments.positionals.first ?? ""
        guard let dataset = arguments.text("dataset") else {
            throw UsageError("--dataset is missing: the name of the dataset")
        }
        maximumBadRows = try arguments.count("max-bad")
        request = BeginImportRequest(
            dataset: dataset, fileName: path.split(at: "/").last.map(String.init) ?? path,
            format: try arguments.importFormat(), columns: arguments.columns, title: arguments.text("title") ?? "",
            attribution: arguments.text("attribution") ?? "", licence: arguments.text("licence") ?? "",
            requestId: "\(ChangeName(arguments))")
    }

    func run(_ session: Session) async throws -> ExitCode {
        var report = ImportReport(session)
        let summary = try await TargetLink.with(options.target) { link in
            try await FileImport(path: path, request: request, maximumBadRows: maximumBadRows, options: options)
                .run(link, &report)
        }
        report.finished(summary)
        return .success
    }
}
