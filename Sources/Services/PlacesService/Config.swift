import Daemon
import ObjectStore
import Stores

/// The settings of this service.
struct Config: Sendable {
    /// The value of `--bundled` that turns bundled data off.
    private static let noBundle = "none"
    /// Half the Earth's circumference is 20,015,115 metres; every place is within.
    private static let mostMetres = 20_016_000.0

    let dataFolder: String
    /// Nil: there is none, or it is turned off.
    let bundledFolder: String?
    let limits: NearbyLimits
    /// One in how many searches is compared with brute force; 0: none.
    let verifyRate: Int
    /// Largest imported file in bytes, as stored and unpacked.
    let maximumImportBytes: UInt64
    let live: LiveConfig
    /// Where the answers of live networks are, and which datasets replicas have.
    let database: DatabaseConfig
    /// Where the datasets of replicas are.
    let blobs: BlobsConfig

    /// The options besides those of every service.
    static let options =
        [
            Option(
                "--bundled", "DIR", defaultText: "next to the program", access: .readsFolder,
                help: "the bundled datasets to import at start, or none"),
            Option(
                "--max-radius", "METRES", default: "100000", in: .decimal(1...mostMetres),
                help: "the largest radius of a search"),
            Option(
                "--max-import-bytes", "BYTES", default: 8 << 30, in: 1...(1 << 50),
                help: "the largest file that can be imported, also when unpacked"),
            Option(
                "--verify-rate", "N", default: 0, in: 0...1_000_000_000,
                help: "compare one in N searches with brute force, in the background; 0: none"),
        ] + DatabaseConfig.options + BlobsConfig.options + LiveConfig.options

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        let bundled = options["--bundled"]
        bundledFolder = bundled == Self.noBundle ? nil : bundled ?? BundledData.defaultFolder
        limits = NearbyLimits(maximumRadiusMetres: try options.number("--max-radius"))
        verifyRate = try options.integer("--verify-rate")
        maximumImportBytes = UInt64(try options.integer("--max-import-bytes"))
        live = try LiveConfig(options)
        database = try DatabaseConfig(options, file: "live.db", schema: "places")
        blobs = try BlobsConfig(options)
    }
}
