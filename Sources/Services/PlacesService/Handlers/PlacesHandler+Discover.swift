import PlaceContracts
import EventLoops
import FieldRules
import Geo
import LiveNetworks
import Networks
import RPC
import Refusals
import Requests
import Storage
import Stores
import Wire

extension PlacesHandler {
    /// How long before the caller's deadline waiting for a network ends: a tenth of the time, within these bounds.
    private static let heads: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(500)
    /// How long it waits when the caller sets no deadline.
    static let patience: Duration = .seconds(30)
    /// How long switching the streets on waits for what their server says of them.
    private static let descriptionPatience: Duration = .seconds(4)

    func discover(_ request: DiscoverRequest, _ context: CallContext) async throws -> DiscoverResponse {
        let centre = try Geo.Coordinate(request.centre, field: "centre")
        let radius = request.radiusM ?? DiscoverRequest.radiusMDefault
        let nearest = request.nearest.map { Int($0) }
        let networks = try networks(request.networks, context)
        let question = AreaQuestion(
            account: context.owner, around: centre, radiusMetres: radius, nearest: nearest,
            isForced: request.force)
        let wait = context.remaining.map(Self.wait) ?? Self.patience
        let deadline = MonotonicTime.now + wait
        return await withTaskGroup(of: (Int, NetworkResult).self) { group in
            for (index, network) in networks.enumerated() {
                group.addTask { [discovery] in
                    let finding = await discovery.find(network, question, until: deadline)
                    return (index, NetworkResult(finding, elapsed: MonotonicTime.now.since(context.start)))
                }
            }
            var results: [(Int, NetworkResult)] = []
            for await result in group { results.append(result) }
            return DiscoverResponse(results: results.sorted { $0.0 < $1.0 }.map { $0.1 })
        }
    }

    func listNetworks(_ request: ListNetworksRequest, _ context: CallContext) async throws -> ListNetworksResponse {
        var networks = [NetworkInfo(name: Network.catalog.name, on: true, gives: ["places"], available: true)]
        for network in Network.livePlaces + Network.ofMaps { networks.append(context.shown(try await info(network))) }
        return ListNetworksResponse(networks: networks, canSwitch: context.maySwitchNetworks)
    }

    func switchNetwork(_ request: SwitchNetworkRequest, _ context: CallContext) async throws -> SwitchNetworkResponse {
        guard let network = (Network.livePlaces + Network.ofMaps).first(where: { $0.name == request.network }) else {
            let names = (Network.livePlaces + Network.ofMaps).map(\.name).joined(separator: ", ")
            throw Refusal("network", text: request.network, allowed: "the live networks \(names) are")
        }
        try await discovery.switches.turn(
            network.name, on: request.on, contact: request.contact, settings: network.placeAdvice, context)
        // So that it is known at once what has to be shown with it.
        if network == StreetConfig.network { await discovery.streets?.prepare(within: Self.descriptionPatience) }
        return SwitchNetworkResponse(network: try await info(network))
    }

    func watchNetworks(
        _ request: WatchNetworksRequest, _ responses: ResponseWriter<WatchNetworksResponse>, _ context: CallContext
    ) async throws {
        var known = request.fromVersion
        let database = discovery.store.database
        try await WatchLoop(database.notices, of: DatabaseLedger.switches, pace: .zero).run {
            // Above 0, which a watcher has that knows none.
            let version = try await database.read { transaction throws(SQLError) in
                UInt64(clamping: try transaction.lastVersion(of: DatabaseLedger.switches)) + 1
            }
            guard version != known else { return .idle }
            try await discovery.switches.follow()
            let networks = discovery.active.map(\.name)
            try await responses.write(WatchNetworksResponse(networks: networks, version: version))
            known = version
            return .idle
        }
    }

    private func info(_ network: Network) async throws -> NetworkInfo {
        try await discovery.info(network)
            ?? NetworkInfo(
                name: network.name, live: true, gives: [network.maps == nil ? "places" : "maps"],
                message: network.placeAdvice)
    }

    /// How long something may be waited for, of the time that is left.
    static func wait(_ remaining: Duration) -> Duration {
        let head = min(max(remaining / 10, heads.lowerBound), heads.upperBound)
        return max(.milliseconds(1), remaining - head)
    }

    /// The requested networks, each once; those that are switched on when none is named. A key may be limited to some.
    private func networks(_ names: [String], _ context: CallContext) throws -> [Network] {
        let limit = context.identity?.credential.networks
        if names.isEmpty { return discovery.active.filter { limit?.contains($0.name) ?? true } }
        if let limit, let other = names.first(where: { !limit.contains($0) }) {
            throw RPCError(.permissionDenied, "networks: this key may not have \(other) asked")
        }
        var networks: [Network] = []
        for name in names {
            let network = try network(name)
            if !networks.contains(network) { networks.append(network) }
        }
        return networks
    }

    private func network(_ name: String) throws(Refusal) -> Network {
        if let network = Network.livePlaces.first(where: { $0.name == name }) { return network }
        throw FieldForm.liveNetwork.rule.refusal("network", name)
    }
}

extension NetworkResult {
    fileprivate init(_ finding: NetworkFinding, elapsed: Duration) {
        self.init(
            network: finding.network, status: DiscoverStatus(finding.status),
            placeCount: UInt32(clamping: finding.count), requestCount: UInt32(clamping: finding.requestCount),
            elapsed: DurationMessage(elapsed),
            retryAfterMs: finding.retryAfterMilliseconds.map { UInt64(clamping: $0) }, message: finding.message)
    }
}

extension DiscoverStatus {
    fileprivate init(_ status: NetworkFinding.Status) {
        self =
            switch status {
            case .found: .ok
            case .empty: .empty
            case .truncated, .failed(.spent): .truncated
            case .disabled: .disabled
            case .failed(.timeout): .timeout
            case .failed(.quota): .quota
            case .failed(.auth): .auth
            case .failed(.malformed): .malformed
            case .failed(.unavailable): .unavailable
            case .failed(.off): .disabled
            }
    }
}
