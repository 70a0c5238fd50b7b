import Accounts
import Backups
import Daemon
import EventLoops
import HTTPClient
import Mail
import RPC
import Storage
import Stores

/// What the parts of the service share while it runs.
struct PinHouse: Sendable {
    let config: Config
    let runtime: Runtime
    let store: PinStore
    let clock = WallClock.system
    let places: any PlaceFinder
    let albums: any AlbumSearcher
    /// The networks whose places a new pin links.
    let networks: PinNetworks
    let passwords = PasswordHasher()
    /// Asks login providers.
    let http: HTTPClient
    /// Nil where no mail is sent.
    let mail: MailSender?
    private let clients: [RPCClient]
    private let lock: FolderLock
    /// Nil where the log is stored nowhere else.
    let shipping: OpenShipping?

    var replication: ReplicationHandler { ReplicationHandler(shipping, isInServer: store.database.isShared) }

    /// Opens the data folder, which no other process may use, and the database.
    init(_ runtime: Runtime) async throws {
        let config = try Config(runtime.options)
        lock = try await runtime.blocking.run { try FolderLock(config.dataFolder) }
        store = try await PinStore.open(
            config.database.address, settings: config.database.settings, firstNetworks: config.firstNetworks,
            verifyRate: config.verifyRate, log: runtime.log)
        shipping = try await config.shipping.mapAsync { try await $0.open(runtime.key, log: runtime.log) }
        let (ofPlaces, ofPhotos) = (runtime.client(config.places), runtime.client(config.photos))
        clients = [ofPlaces, ofPhotos]
        let signer = IdentitySigner(runtime.key)
        places = RemotePlaces(ofPlaces, signer)
        albums = RemoteAlbums(ofPhotos, signer)
        networks = PinNetworks(config.networks)
        http = HTTPClient(loop: runtime.loops.loops[0], agent: "waymark/\(ServiceProgram.version)")
        mail = config.mail.map { MailSender($0.server, from: $0.sender) }
        (self.config, self.runtime) = (config, runtime)
    }

    func close() async {
        await http.close()
        try? await runtime.blocking.run { [passwords, mail] in
            passwords.close()
            mail?.close()
        }
        for client in clients { await client.close() }
        await shipping?.stop()
        await store.close()
        withExtendedLifetime(lock) {}
    }
}
