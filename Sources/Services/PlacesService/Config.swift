import Arguments
import Backups
import Daemon
import ObjectStore
import Stores

/// The settings of this service.
struct Config: Sendable {
    /// The value of `--bundled` that turns bundled data off.
    private static let noBundle = "none"

    let dataFolder: String
    /// Nil: there is none, or it is turned off.
    let bundledFolder: String?
    let limits: NearbyLimits
    /// One in how many searches is compared with brute force; 0: none.
    let verifyRate: Int
    /// Largest imported file in bytes, as stored and unpacked.
    let maximumImportBytes: UInt64
    let importMemory: ImportMemory
    let live: LiveConfig
    /// Where diffs may be fetched from.
    let diffServers: DiffServers
    /// Where the answers of live networks are, and which datasets replicas have.
    let database: DatabaseConfig
    /// Where else its log is stored; nil for nowhere.
    let shipping: ShippingConfig?
    /// Where the datasets of replicas are.
    let blobs: BlobsConfig

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        let bundled = options["--bundled"]
        bundledFolder = bundled == Self.noBundle ? nil : bundled ?? BundledData.defaultFolder
        limits = NearbyLimits(maximumRadiusMetres: try options.number("--max-radius"))
        verifyRate = try options.integer("--verify-rate")
        maximumImportBytes = UInt64(try options.integer("--max-import-bytes"))
        importMemory = ImportMemory(bytes: try options.integer("--import-memory") << 20)
        live = try LiveConfig(options)
        diffServers = try DiffServers(options)
        shipping = try ShippingConfig(options, database: "places/live.db")
        database = try DatabaseConfig(options, file: "live.db", schema: "places", follower: shipping?.follower)
        blobs = try BlobsConfig(options)
    }
}
