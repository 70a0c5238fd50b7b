import Arguments
import Contracts
import RPC
import Terminal

/// Where places and photos come from: `waymark networks …`.
enum NetworkCommands {
    static let all: [any Command] = [
        BodyCommand(NetworkOnCommand.self), BodyCommand(NetworkOffCommand.self), list,
    ]

    private static let list = UnaryCommand(
        CommandSyntax(
            words: ["networks"],
            summary: "where places and photos come from, with budgets; on and off behind it switch one",
            examples: ["networks", "networks --json"]),
        request: { _ in ListNetworksRequest() },
        call: { client, _, options in ListNetworksResponse(networks: try await KnownNetworks(client, options).all) },
        view: { NetworkTable.lines($0.answer.networks, on: $0.sink) })
}

/// What both services tell about their networks.
struct KnownNetworks: Sendable {
    let ofPlaces: [NetworkInfo]
    let ofPhotos: [NetworkInfo]

    /// Asks both.
    init(_ client: RPCClient, _ options: ClientOptions) async throws {
        async let places = PlacesServiceClient(client).listNetworks(ListNetworksRequest(), options.call)
        async let photos = PhotoNetworkServiceClient(client).listPhotoNetworks(
            ListPhotoNetworksRequest(), options.call)
        (ofPlaces, ofPhotos) = (try await places.networks, try await photos.networks)
    }

    /// A network that both ask is there twice.
    var all: [NetworkInfo] { ofPlaces + ofPhotos }

    /// The names of those that can be switched, available or not.
    var names: [String] { Set(all.filter(\.live).map(\.name)).sorted() }
}

/// Switches a network at each service that has it.
struct NetworkSwitching: Sendable {
    let network: String
    let isOn: Bool
    let contact: String
    let options: ClientOptions

    func run(_ session: Session) async throws -> ExitCode {
        let switched = try await TargetLink.with(options.target) { link in
            try await networks(try await KnownNetworks(link.client, options), link.client)
        }
        try session.answer(ListNetworksResponse(networks: switched)) { answer in
            answer.networks.map(NetworkTable.sentence) + (isOn ? [NetworkTable.never] : [])
        }
        return .success
    }

    /// As they are afterwards.
    private func networks(_ known: KnownNetworks, _ client: RPCClient) async throws -> [NetworkInfo] {
        guard known.names.contains(network) else {
            throw UsageError(
                "there is no network \(network) to switch; \(known.names.joined(separator: ", ")) are there")
        }
        let (atPlaces, atPhotos) = (can(known.ofPlaces), can(known.ofPhotos))
        guard atPlaces || atPhotos else {
            let settings = known.all.first { $0.name == network }?.message ?? ""
            throw RPCError(.failedPrecondition, "\(network) is not available; \(settings) makes it so")
        }
        var switched: [NetworkInfo?] = []
        if atPlaces {
            let request = SwitchNetworkRequest(network: network, on: isOn, contact: contact)
            switched.append(try await PlacesServiceClient(client).switchNetwork(request, options.call).network)
        }
        if atPhotos {
            let request = SwitchPhotoNetworkRequest(network: network, on: isOn, contact: contact)
            let answer = try await PhotoNetworkServiceClient(client).switchPhotoNetwork(request, options.call)
            switched.append(answer.network)
        }
        return switched.compactMap(\.self)
    }

    private func can(_ networks: [NetworkInfo]) -> Bool {
        networks.contains { $0.name == network && $0.live && $0.available }
    }
}

/// `waymark networks on`
struct NetworkOnCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["networks", "on"], summary: "switch a network on, for all accounts, until it is switched off",
        positionals: [.network],
        flags: [
            Flag("contact", "ADDRESS", "an e-mail address or URL to which the network may write; needed the first time")
        ] + Flag.client,
        examples: ["networks on commons --contact me@example.org", "networks on openstreetmap"])

    private let switching: NetworkSwitching

    init(_ arguments: ParsedArguments) throws(UsageError) {
        switching = NetworkSwitching(
            network: arguments.positionals.first ?? "", isOn: true, contact: arguments.text("contact") ?? "",
            options: try ClientOptions(arguments))
    }

    func run(_ session: Session) async throws -> ExitCode { try await switching.run(session) }
}

/// `waymark networks off`
struct NetworkOffCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["networks", "off"], summary: "switch a network off at once, for all accounts; what it gave stays",
        positionals: [.network], flags: Flag.client, examples: ["networks off commons"])

    private let switching: NetworkSwitching

    init(_ arguments: ParsedArguments) throws(UsageError) {
        switching = NetworkSwitching(
            network: arguments.positionals.first ?? "", isOn: false, contact: "", options: try ClientOptions(arguments))
    }

    func run(_ session: Session) async throws -> ExitCode { try await switching.run(session) }
}

extension Positional {
    fileprivate static let network = Positional(name: "NAME", summary: "the network, as networks lists it")
}
