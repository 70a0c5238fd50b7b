import Accounts
import Daemon
import EventLoops
import Glibc
import HTTPClient
import LoginProviders
import Mail
import NearRows
import Posts
import RPC
import Settings
import Stores

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(.pins, start: makeService)
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let config = try Config(runtime.options)
        let lock = try await runtime.blocking.run { try FolderLock(config.dataFolder) }
        let store = try await PinStore.open(
            config.database.address, settings: config.database.settings, firstNetworks: config.firstNetworks,
            verifyRate: config.verifyRate, log: runtime.log)
        let posts = PostHandler(store.database, clock: .system, verifyRate: config.verifyRate, log: runtime.log)
        try await posts.near.load()
        runtime.metrics.add { store.database.families + store.near.families + posts.near.families }
        let signer = IdentitySigner(runtime.key)
        let clients = (places: runtime.client(config.places), photos: runtime.client(config.photos))
        let networks = PinNetworks(config.networks)
        let passwords = PasswordHasher()
        var accounts = AccountStore(
            store.database, passwords, clock: .system, key: runtime.key, signUp: config.signUp,
            sendsMail: config.mail != nil, sessionMilliseconds: config.sessionMilliseconds)
        accounts.takesPasswords = config.takesPasswords
        let upkeep = AccountUpkeep(accounts)
        if let code = try await upkeep.administratorCode() {
            runtime.log.info("no account administers yet; `waymark admin create` makes one with this", ["code": code])
        }
        let accountUpkeep = Task { await upkeep.run() }
        let http = HTTPClient(loop: runtime.loops.loops[0], agent: "waymark/\(ServiceProgram.version)")
        let providers = directory(config, http, runtime)
        let mail = config.mail.map { (config: $0, sender: MailSender($0.server, from: $0.sender)) }
        runtime.log.info("mail", ["server": config.mail.map { "\($0.server)" } ?? "off"])
        let places = RemotePlaces(clients.places, signer)
        let albums = RemoteAlbums(clients.photos, signer)
        let process = try await PinProcess(
            store, places: places, albums: albums,
            networks: networks, clock: .system,
            posts: posts.near, more: mail.map { [MailJob(accounts, $0.sender, site: $0.config.site.text).kind] } ?? [],
            log: runtime.log)
        let shares = ShareHandler(
            store: store, clock: .system, key: runtime.key, passwords: passwords, isOn: config.allowsShares)
        let imports = try await runtime.blocking.run { try ImportFolder("\(config.dataFolder)/imports") }
        return StartedService(
            services: [
                PinFileHandler(store: store, clock: .system, folder: imports, blocking: runtime.blocking),
                PinHandler(store, clock: .system, networks: networks), PinClusterHandler(store: store),
                SettingsHandler(
                    store: store, clock: .system, configured: ConfiguredNetworks(places: places, albums: albums)),
                AccountHandler(accounts),
                SessionHandler(accounts), AdministrationHandler(accounts), APIKeyHandler(accounts),
                AccountMailHandler(accounts),
                PasskeyHandler(accounts, PasskeySite(config.publicURL)),
                LoginProviderHandler(accounts, providers, log: runtime.log),
                posts, shares, ShareLinkHandler(shares: shares),
                GrantHandler(store: store, clock: .system), GrantCheckHandler(store: store),
                ListHandler(store: store, clock: .system), StarHandler(store: store, clock: .system),
            ], data: store.dataName, leave: store.leave,
            stop: {
                await process.stop()
                accountUpkeep.cancel()
                await accountUpkeep.value
                await http.close()
                try? await runtime.blocking.run {
                    passwords.close()
                    mail?.sender.close()
                }
                for client in [clients.places, clients.photos] { await client.close() }
                await store.close()
                withExtendedLifetime(lock) {}
            })
    }

    /// Without an address to come back to there are no login providers.
    private static func directory(_ config: Config, _ http: HTTPClient, _ runtime: Runtime) -> ProviderDirectory {
        guard let publicURL = config.publicURL, !config.loginProviders.isEmpty else {
            if !config.loginProviders.isEmpty {
                runtime.log.warning("login providers are off: they need --public-url, to which browsers come back")
            }
            return .none
        }
        return ProviderDirectory(config.loginProviders.map { ProviderAgent($0, http) }, publicURL: publicURL)
    }
}
