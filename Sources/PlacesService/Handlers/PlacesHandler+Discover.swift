import Contracts
import EventLoops
import Geo
import LiveNetworks
import RPC
import Refusals
import Requests
import Wire

extension PlacesHandler {
    /// How long before the caller's deadline waiting for a network ends: a tenth of the time, within these bounds.
    private static let heads: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(500)
    /// How long it waits when the caller sets no deadline.
    private static let patience: Duration = .seconds(30)

    func discover(_ request: DiscoverRequest, _ context: CallContext) async throws -> DiscoverResponse {
        let centre = try Geo.Coordinate(request.centre, field: "centre")
        let radius = try Bounds.discoveryRadius.checked(request.radiusM)
        let networks = try networks(request.networks)
        let wait = context.remaining.map(Self.wait) ?? Self.patience
        let deadline = MonotonicTime.now + wait
        return await withTaskGroup(of: (Int, NetworkResult).self) { group in
            for (index, network) in networks.enumerated() {
                group.addTask { [discovery] in
                    let finding = await discovery.find(
                        network, around: centre, radiusMetres: radius, isForced: request.force, until: deadline)
                    return (index, NetworkResult(finding, elapsed: MonotonicTime.now.since(context.start)))
                }
            }
            var results: [(Int, NetworkResult)] = []
            for await result in group { results.append(result) }
            return DiscoverResponse(results: results.sorted { $0.0 < $1.0 }.map { $0.1 })
        }
    }

    func listNetworks(_ request: ListNetworksRequest, _ context: CallContext) async throws -> ListNetworksResponse {
        let live = LiveNetwork.names.map { network in
            let about = discovery.about(network)
            return NetworkInfo(
                name: network.rawValue, configured: about != nil, live: true, gives: ["places"],
                attribution: about?.attribution ?? "", message: about == nil ? Self.settings(network) : "")
        }
        let catalog = NetworkInfo(name: Network.catalog.rawValue, configured: true, gives: ["places"])
        return ListNetworksResponse(networks: [catalog] + live)
    }

    private static func wait(_ remaining: Duration) -> Duration {
        let head = min(max(remaining / 10, heads.lowerBound), heads.upperBound)
        return max(.milliseconds(1), remaining - head)
    }

    private static func settings(_ network: Network) -> String {
        switch network {
        case .openstreetmap: "places-service --openstreetmap-url URL --contact ADDRESS"
        case .foursquare: "places-service --foursquare-key KEY --contact ADDRESS"
        default: "places-service --instagram-url URL --instagram-token TOKEN --contact ADDRESS"
        }
    }

    /// The requested networks, each once; the configured ones when none is named.
    private func networks(_ names: [String]) throws(Refusal) -> [Network] {
        if names.isEmpty { return discovery.configured }
        var networks: [Network] = []
        for (index, name) in names.enumerated() {
            guard let network = LiveNetwork.names.first(where: { $0.rawValue == name }) else {
                let known = LiveNetwork.names.map(\.rawValue).joined(separator: ", ")
                throw Refusal("networks[\(index)]", text: name, allowed: "the live networks \(known) are")
            }
            if !networks.contains(network) { networks.append(network) }
        }
        return networks
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
            case .truncated: .truncated
            case .disabled: .disabled
            case .failed(.timeout): .timeout
            case .failed(.quota): .quota
            case .failed(.auth): .auth
            case .failed(.malformed): .malformed
            case .failed(.unavailable): .unavailable
            }
    }
}
