package import Arguments
internal import Bytes
package import Daemon
import EventLoops
package import Storage

/// Where a service stores its log, as its options say.
package struct ShippingConfig: Sendable {
    /// Follows the database, for its settings.
    package let follower: LogFollower
    private let place: String
    private let credentials: String?
    private let passphraseFile: String?
    private let keepHours: Int
    private let beat: String?
    private let database: String

    /// Nil when there is no log.
    /// - Parameter database: its path in a data folder: "pins/pins.db".
    package init?(_ options: Options, database: String) throws(OptionError) {
        guard let place = options["--replicate"], !place.isEmpty else { return nil }
        guard options["--database"] == nil else {
            throw OptionError("--replicate is for the file in --data; a PostgreSQL server has replicas of its own")
        }
        let mode: LogFollower.Mode
        switch options["--replicate-mode"] {
        case "soon": mode = .soon
        case "before": mode = .before
        case let value: throw OptionError("--replicate-mode is \(value ?? ""), soon or before is needed")
        }
        follower = LogFollower(mode)
        self.place = place
        self.database = database
        credentials = options["--replicate-credentials"]
        passphraseFile = options["--replicate-passphrase-file"]
        keepHours = try options.integer("--replicate-hours")
        beat = options["--replicate-beat"].map { "\($0)/beat" }
    }

    /// Begins to store it. A place that is away, or a folder that can't be written to, is tried again until it can.
    /// - Parameters:
    ///   - key: of the deployment.
    ///   - blobs: what belongs to the database.
    package func open(_ key: DeploymentKey, blobs: ShippedBlobs? = nil, log: Log?) async throws -> OpenShipping {
        let blocking = BlockingPool(threadCount: 2, name: "shipping")
        let passphrase = try await blocking.run { try passphraseFile.map(Passphrase.read) }
        let open: @Sendable () async throws -> BackupStore = { [place, credentials] in
            try await BackupStore.open(
                place, credentials: credentials, agent: "waymark/\(ServiceProgram.version)",
                environment: Environment.ofProcess, isThere: false, blocking)
        }
        // What is wrong with the name of a bucket, or its key, is wrong for good.
        let bucket = BackupStore.isBucket(place) ? try await open() : nil
        let source = String(BigEndian.number(key.shortSign(Array("waymark log".utf8)).prefix(8)), radix: 16)
        let report: @Sendable (String?) -> Void = { trouble in
            if let trouble {
                log?.warning("the log is not stored elsewhere", ["reason": trouble])
            } else {
                log?.info("the log is stored elsewhere again", [:])
            }
        }
        return OpenShipping(
            bucket, at: BackupStore.shown(place), open: open, passphrase: passphrase, follower: follower,
            blocking: blocking, report: report
        ) { [self] vault in
            LogShipper(
                follower, database: database, source: source, vault: vault, blobs: blobs, beat: beat,
                keepHours: keepHours, report: report)
        }
    }
}
