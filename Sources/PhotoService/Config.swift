import Daemon

/// The service's settings.
struct Config: Sendable {
    /// The folder that holds all data.
    let dataFolder: String
    /// The folder with the pictures of the network "folder"; nil for none.
    let pictureFolder: String?
    /// How old bytes without a record have to be before they are removed.
    let blobGrace: Duration
    /// The time between two sweeps.
    let sweepPause: Duration
    /// The most bytes of all large pictures together.
    let largeBytes: Int

    /// As long as a copy may take, in seconds: bytes are stored before the row that names them.
    private static let shortestGrace = 60

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        pictureFolder = options["--pictures"]
        blobGrace = .seconds(try options.integer("--blob-grace", in: Self.shortestGrace...31_536_000))
        sweepPause = .seconds(try options.integer("--sweep-every", in: 1...31_536_000))
        largeBytes = try options.integer("--large-bytes", in: 0...(1 << 50))
    }

    /// The file with all records.
    var databasePath: String { "\(dataFolder)/photos.db" }
    /// Where the bytes of pictures are kept.
    var blobFolder: String { "\(dataFolder)/blobs" }

    /// The options besides those of every service.
    static let options = [
        Option(
            "--pictures", "DIR", variable: "WAYMARK_PICTURES", access: .readsFolder,
            help: "a folder of JPEGs whose cameras noted where they were; it is only read"),
        Option(
            "--blob-grace", "SECONDS", variable: "WAYMARK_BLOB_GRACE", fallback: "3600",
            help: "how long bytes that no record names are kept, 60 or more"),
        Option(
            "--sweep-every", "SECONDS", variable: "WAYMARK_SWEEP_EVERY", fallback: "3600",
            help: "how often what is not needed is removed"),
        Option(
            "--large-bytes", "BYTES", variable: "WAYMARK_LARGE_BYTES", fallback: "1073741824",
            help: "how much room large pictures may take; the oldest are deleted, and made again on request"),
    ]
}
