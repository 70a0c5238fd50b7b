import PlaceContracts
import Geo
import HTTP
import LiveNetworks
import Daemon
import Networks
import TestSupport
import Testing

@testable import PlacesService

/// A point that is known to be one.
enum Shapes {
    static func point(_ latitude: Double, _ longitude: Double) -> Geo.Coordinate {
        guard let point = try? Geo.Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("no point: \(latitude), \(longitude)")
        }
        return point
    }
}

/// The ways to ask that are tested, each with the server that it needs.
enum LiveKind: String, CaseIterable, CustomTestStringConvertible {
    case openstreetmap, foursquare, foursquareV2, instagram

    var testDescription: String { rawValue }

    var network: Network {
        switch self {
        case .openstreetmap: .openstreetmap
        case .foursquare, .foursquareV2: .foursquare
        case .instagram: .instagram
        }
    }

    func provider(_ url: String) -> any PlaceProvider {
        switch self {
        case .openstreetmap: OverpassProvider(url: url)
        case .foursquare: FoursquareProvider(url: url, key: "secret")
        case .foursquareV2: FoursquareV2Provider(url: url, key: ("id", "secret"))
        case .instagram: InstagramProvider(url: url, token: "secret")
        }
    }

    func answer(_ city: FixtureCity, _ request: HTTPRequest) -> HTTPResponse {
        switch self {
        case .openstreetmap: city.overpass(request)
        case .foursquare: city.foursquare(request, pages: true)
        case .foursquareV2: city.foursquareV2(request)
        case .instagram: city.instagram(request)
        }
    }
}

extension NetworkRules {
    /// Rules that stand in no test's way.
    static let free = NetworkRules(perSecond: 100_000, burst: 1_000, perDay: 100_000, atOnce: 8, perSearch: 200)
}

extension TestService {
    /// Runs `body` with a service that has one live network, which a fixture plays.
    static func live(
        _ kind: LiveKind, rules: NetworkRules = .free, clock: WallClock = .system,
        provider: ((String) -> any PlaceProvider)? = nil,
        answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
        _ body: (TestService, HTTPFixture) async throws -> Void
    ) async throws {
        try await HTTPFixture.with(answer) { fixture, url in
            let live = LiveNetwork(provider: provider?(url) ?? kind.provider(url), rules: rules)
            try await TestService.run(live: [live], clock: clock) { service in try await body(service, fixture) }
        }
    }

    /// Asks for the places around a point: `networks`, or all that are on.
    func discover(
        _ centre: Geo.Coordinate = FixtureCity.centre, radius: Double = 1_000, isForced: Bool = false,
        networks: [String] = [], nearest: UInt32? = nil
    ) async throws -> NetworkResult {
        let request = DiscoverRequest(
            centre: BaseContracts.Coordinate(latitude: centre.latitude, longitude: centre.longitude), radiusM: radius,
            networks: networks, force: isForced, nearest: nearest)
        return try #require(try await client.discover(request, Self.soon).results.first)
    }
}

extension DiscoveredIndex {
    /// Stores places for callers without an account, as tests are.
    func upsert(_ places: [FoundPlace], network: Network, seen: Int64) async throws {
        try await upsert(places, network: network, seen: seen, for: "")
    }
}
