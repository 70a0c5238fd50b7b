import Daemon

/// The settings of this service.
struct Config: Sendable {
    /// The value of `--bundled` that turns bundled data off.
    private static let noBundle = "none"
    /// Half the Earth's circumference is 20,015,115 metres; every place is within.
    private static let radii = 1.0...20_016_000.0

    let dataFolder: String
    /// Nil: there is none, or it is turned off.
    let bundledFolder: String?
    let limits: NearbyLimits
    /// One in how many searches is compared with brute force; 0: none.
    let verifyRate: Int
    /// Largest imported file in bytes, as stored and unpacked.
    let maximumImportBytes: UInt64
    let live: LiveConfig

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        let bundled = options["--bundled"]
        bundledFolder = bundled == Self.noBundle ? nil : bundled ?? BundledData.defaultFolder
        limits = NearbyLimits(maximumRadiusMetres: try options.number("--max-radius", in: Self.radii))
        verifyRate = Int(try options.integer("--verify-rate", in: 0...1_000_000_000))
        maximumImportBytes = UInt64(try options.integer("--max-import-bytes", in: 1...(1 << 50)))
        live = try LiveConfig(options)
    }

    /// The database with the answers of live networks.
    var databasePath: String { "\(dataFolder)/live.db" }

    /// The options besides those of every service.
    static let options =
        LiveConfig.options + [
            Option(
                "--bundled", "DIR", variable: "WAYMARK_BUNDLED", access: .readsFolder,
                help: "the bundled datasets to import at start, or none; default: those next to the program"),
            Option(
                "--max-radius", "METRES", variable: "WAYMARK_MAX_RADIUS", fallback: "100000",
                help: "the largest radius of a search"),
            Option(
                "--verify-rate", "N", variable: "WAYMARK_VERIFY_RATE", fallback: "0",
                help: "compare one in N searches with brute force, in the background; 0: none"),
            Option(
                "--max-import-bytes", "BYTES", variable: "WAYMARK_MAX_IMPORT_BYTES", fallback: "\(8 << 30)",
                help: "the largest file that can be imported, also when unpacked"),
        ]
}
