import PhotoContracts
import Daemon
import EventLoops
import Geo
import HTTPClient
import LiveNetworks
import PictureCalls

/// The networks that photos come from: asks them what they have, and fetches their pictures.
final class PhotoNetworks: Sendable {
    /// Pictures are fetched beside the questions: few at once, as the networks' rules for robots ask.
    private static let fetching = NetworkRules(perSecond: 5, burst: 8, perDay: 100_000, atOnce: 3)

    private struct Available {
        let source: any PictureSource
        let about: ProviderAbout
        /// Nil for a network that has photos of venues, and none of areas.
        let search: AreaSearch<FoundPhoto>?
        let questions: NetworkQueue
        let fetches: NetworkQueue
    }

    private let networks: [String: Available]
    /// Which of them are asked.
    let switches: NetworkSwitches
    /// What accounts have at servers of their own.
    let libraries: ImmichLibraries
    private let store: PhotoStore
    /// The keys that accounts have given.
    let keyring: NetworkKeyring
    private let client: HTTPClient
    private let running: NetworkSearches

    init(
        _ config: PhotoNetworksConfig, _ store: PhotoStore, _ loop: EventLoop, _ blocking: BlockingPool,
        key: DeploymentKey, log: Log? = nil
    ) {
        let agent = NetworkContact.agent(config.contact)
        let (client, ledger) = (HTTPClient(loop: loop, agent: agent), store.ledger)
        self.client = client
        self.store = store
        running = NetworkSearches(log: log)
        let venues = config.ofVenues.map(\.name)
        switches = NetworkSwitches(
            config.networks.map(\.provider.name) + venues,
            configured: Set(config.networks.filter(\.isOn).map(\.provider.name) + venues), contact: config.contact,
            ledger, store.clock, log: log)
        var networks: [String: Available] = [:]
        for network in config.networks {
            let name = network.provider.name
            guard let power = switches[name] else { continue }
            let queue = NetworkQueue(name, power, network.rules, client, ledger, blocking, store.clock)
            networks[name] = Available(
                source: network.provider, about: network.provider.about,
                search: AreaSearch(
                    network.provider, queue, ledger, FoundPhotos(network: name, store: store), store.clock),
                questions: queue,
                fetches: NetworkQueue(
                    "\(name) pictures", power, Self.fetching, client, ledger, blocking, store.clock))
        }
        for (name, source, about, rules) in config.ofVenues {
            guard let power = switches[name] else { continue }
            networks[name] = Available(
                source: source, about: about, search: nil,
                questions: NetworkQueue(name, power, rules, client, ledger, blocking, store.clock),
                fetches: NetworkQueue(
                    "\(name) pictures", power, Self.fetching, client, ledger, blocking, store.clock))
        }
        self.networks = networks
        keyring = NetworkKeyring(store, key)
        libraries = ImmichLibraries(config.immich, store, client, blocking, contact: config.contact, keyring)
    }

    /// The networks that are on.
    var active: Set<String> { Set(networks.filter { $0.value.questions.isOn }.keys) }

    /// The names of all that can be asked, in order.
    var names: [String] { networks.keys.sorted() }

    /// What a network is, and how it stands; nil when it can't be asked.
    func info(_ network: String) async throws -> NetworkInfo? {
        guard let available = networks[network] else { return nil }
        return try await SwitchableNetwork(network, available.about, available.questions.rules)
            .info(switches, store.ledger, store.clock)
    }

    /// A network that can be asked for photos by their ids, and the queue of its requests, if it is on.
    func namer(_ network: String) -> (any NamingProvider, NetworkQueue)? {
        guard let available = networks[network], available.questions.isOn,
            let namer = available.source as? any NamingProvider
        else { return nil }
        return (namer, available.questions)
    }

    /// How long an answer of a network is valid.
    func expiryMilliseconds(of network: String) -> Int64 {
        networks[network]?.questions.rules.expiryMilliseconds ?? .max / 2
    }

    /// Those that pictures can be fetched from.
    var fetchable: @Sendable () -> [String] {
        { [networks] in networks.filter(\.value.fetches.isOn).keys.sorted() }
    }

    /// Whether pictures of a network can be fetched.
    func has(_ network: String) -> Bool { networks[network]?.fetches.isOn ?? false }

    /// A network of a kind, and the queue of its requests, if it is on.
    func asker<Provider: PictureSource>(of kind: Provider.Type) -> (Provider, NetworkQueue)? {
        for network in networks.values where network.questions.isOn {
            if let provider = network.source as? Provider { return (provider, network.questions) }
        }
        return nil
    }

    /// Asks those of some networks that are on, and the libraries of an account, about a circle, for what is not known;
    /// when this returns, what they have listed is stored. One that takes longer than `patience` is asked on behind it.
    func search(
        of account: String, at enabled: EnabledNetworks, around centre: Geo.Coordinate, radiusMetres: Double,
        patience: Duration
    ) async throws -> [NetworkFinding] {
        let (running, end) = (running, MonotonicTime.now + patience)
        let own = try await libraries.searches(of: account)
        return await withTaskGroup(of: NetworkFinding.self) { group in
            for search in own {
                group.addTask { await search.find(running, around: centre, radiusMetres: radiusMetres, until: end) }
            }
            for (name, network) in networks where network.questions.isOn && enabled.allows(name) {
                guard let search = network.search else { continue }
                group.addTask {
                    await running.find(
                        search,
                        AreaQuestion(
                            account: account, around: centre, radiusMetres: radiusMetres, nearest: PinPhotos.limit),
                        until: end)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.network < $1.network }
        }
    }

    /// The bytes of a picture; `progress` notes how many have come.
    func bytes(of original: Original, _ progress: TransferProgress? = nil) async throws -> [UInt8] {
        guard let network = networks[original.id.network], network.fetches.isOn else {
            throw PictureProblem.busy("the network \(original.id.network) is switched off")
        }
        guard network.source.mayFetch(original.url) else {
            throw PictureProblem.unsupported("its address is not one of its network's")
        }
        var request = HTTPClientRequest(url: original.url)
        request.maximumBytes = PictureLimit.bytes
        request.isPublicOnly = !network.source.isNamedByOperator
        request.redirects = network.source.redirects
        request.progress = progress
        let answer = try await network.fetches.ask(request) { response, now in
            // That it is not there is an answer, and no failure of the network.
            if response.status == 404 || response.status == 410 { return .success([UInt8]?.none) }
            return AskFailure(response, at: now).map { .failure($0) } ?? .success(response.body)
        }
        switch answer {
        case .success(let bytes?): return bytes
        case .success: throw PictureProblem.withdrawn
        case .failure(let failure) where failure.retryAfterMilliseconds != nil || failure.kind == .off:
            throw PictureProblem.busy(failure.reason)
        case .failure(let failure): throw PictureProblem.unreachable(failure.reason)
        }
    }

    /// The metrics of the networks.
    var families: [MetricFamily] {
        let queues = networks.values.flatMap { [$0.questions, $0.fetches] } + libraries.queues
        return queues.isEmpty ? [] : running.families(of: queues)
    }

    /// Cancels what runs. Nothing new begins.
    func stop() async {
        await running.stop()
        await client.close()
    }
}
