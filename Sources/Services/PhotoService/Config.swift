import Arguments
import Backups
import Bytes
import Daemon
import ObjectStore
import Stores

/// The service's settings.
struct Config: Sendable {
    /// The folder that holds all data.
    let dataFolder: String
    /// Where all records are.
    let database: DatabaseConfig
    /// Where else its log is stored; nil for nowhere.
    let shipping: ShippingConfig?
    /// Where the bytes of pictures are.
    let blobs: BlobsConfig
    /// The folder with the pictures of the network "folder"; nil for none.
    let pictureFolder: String?
    /// Names in it that are left out, besides those that systems keep there.
    let leftOutNames: [String]
    /// The time between two looks through it; nil when nothing of it is noticed.
    let folderPause: Duration?
    /// How old bytes without a record have to be before they are removed.
    let blobGrace: Duration
    /// Not a setting: a test on a busy machine waits longer.
    var searchPatience = SearchPatience()
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

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        shipping = try ShippingConfig(options, database: "photos/photos.db")
        database = try DatabaseConfig(options, file: "photos.db", schema: "photos", follower: shipping?.follower)
        blobs = try BlobsConfig(options)
        pictureFolder = options["--pictures"]
        leftOutNames = (options["--pictures-leave-out"] ?? "").split(at: ",").map(String.init)
        let folderPause = try options.integer("--pictures-every")
        self.folderPause = folderPause > 0 ? .seconds(folderPause) : nil
        blobGrace = .seconds(try options.integer("--blob-grace"))
        sweepPause = .seconds(try options.integer("--sweep-every"))
        largeBytes = try options.integer("--large-bytes")
        decoderCount = try options.integer("--decoders")
        photoQuota = Int64(try options.integer("--photo-quota"))
        networks = try PhotoNetworksConfig(options)
        verifyRate = try options.integer("--verify-rate")
    }

    /// Where the bytes of pictures are kept without a bucket.
    var blobFolder: String { "\(dataFolder)/blobs" }

    /// Where copies of a bucket's bytes are.
    var copyFolder: String { "\(dataFolder)/blob-cache" }
}
