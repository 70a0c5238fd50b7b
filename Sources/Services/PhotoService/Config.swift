import Bytes
import Daemon
import EventLoops
import NearRows
import ObjectStore
import Stores

/// The service's settings.
struct Config: Sendable {
    /// The folder that holds all data.
    let dataFolder: String
    /// Where all records are.
    let database: DatabaseConfig
    /// Where the bytes of pictures are.
    let blobs: BlobsConfig
    /// The folder with the pictures of the network "folder"; nil for none.
    let pictureFolder: String?
    /// Names in it that are left out, besides those that systems keep there.
    let leftOutNames: [String]
    /// How old bytes without a record have to be before they are removed.
    let blobGrace: Duration
    /// The time between two sweeps.
    let sweepPause: Duration
    /// The most bytes of all large pictures together.
    let largeBytes: Int
    /// How many decoders read pictures at once.
    let decoderCount: Int
    /// Where photos come from besides the folder.
    let networks: PhotoNetworksConfig
    /// The most bytes of all files that one account uploads; 0 for any.
    let photoQuota: Int64
    /// Compares one in so many searches with the database's; 0 for none.
    let verifyRate: Int

    /// As long as a copy may take, in seconds: bytes are stored before the row that names them.
    private static let shortestGrace = 60
    private static let year = 31_536_000

    /// The options besides those of every service.
    static let options =
        DatabaseConfig.options + BlobsConfig.options + [
            Option(
                "--pictures", "DIR", access: .readsFolder,
                help: "a folder of pictures whose cameras noted where they were; it is only read"),
            Option(
                "--pictures-leave-out", "NAMES",
                help: "folders and files that are left out too, with commas between them: Private,Scans/*.png"),
            Option(
                "--decoders", "N", default: defaultDecoders, in: 1...32, defaultText: "the processors, at most 8",
                help: "how many pictures are decoded at once, each in a process of its own"),
            Option(
                "--large-bytes", "BYTES", default: 1 << 30, in: 0...(1 << 50),
                help: "how much space large pictures may take; the oldest are removed, and made again on request"),
            Option(
                "--photo-quota", "BYTES", default: 20 << 30, in: 0...(1 << 50), defaultText: "20 GiB",
                help: "how many bytes the photos may have that one account uploads; 0 for any. "
                    + "Photos of the folder, of networks and of libraries that are shown through don't count"),
            Option(
                "--blob-grace", "SECONDS", default: 3_600, in: shortestGrace...year,
                help: "how long bytes that no record names are kept"),
            Option(
                "--sweep-every", "SECONDS", default: 3_600, in: 1...year, help: "how often such bytes are searched for"),
            NearSearch.verifyRate,
        ] + PhotoNetworksConfig.options

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        database = try DatabaseConfig(options, file: "photos.db", schema: "photos")
        blobs = try BlobsConfig(options)
        pictureFolder = options["--pictures"]
        leftOutNames = (options["--pictures-leave-out"] ?? "").split(at: ",").map(String.init)
        blobGrace = .seconds(try options.integer("--blob-grace"))
        sweepPause = .seconds(try options.integer("--sweep-every"))
        largeBytes = try options.integer("--large-bytes")
        decoderCount = try options.integer("--decoders")
        photoQuota = Int64(try options.integer("--photo-quota"))
        networks = try PhotoNetworksConfig(options)
        verifyRate = try options.integer("--verify-rate")
    }

    private static var defaultDecoders: Int { max(1, min(8, Processors.count)) }

    /// Where the bytes of pictures are kept without a bucket.
    var blobFolder: String { "\(dataFolder)/blobs" }

    /// Where copies of a bucket's bytes are.
    var copyFolder: String { "\(dataFolder)/blob-cache" }
}
