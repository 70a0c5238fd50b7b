import PlaceContracts
import HTTPClient
import LiveNetworks
import Daemon
import Requests
import Storage
import Wire

/// Asks another geocoder for what is not known here, as seldom as it allows, and stores its answers, including empty
/// ones. Pace and answers are rows, shared by all users of the database.
struct Upstream: Sendable {
    /// Its name in the table of standings.
    static let name = "nominatim"

    let server: NominatimServer
    let store: DiscoveryStore
    let client: HTTPClient
    var clock = WallClock.system

    /// What it knows, best first; throws an `AskFailure` when it can't be asked or does not answer well.
    func matches(_ question: UpstreamQuestion) async throws -> [GeocodeMatch] {
        if let kept = try await kept(question) { return kept }
        let closing = try await store.ledger.turn(Self.name, server.rules, clock).get()
        // Another call may have asked the same while this one waited for its turn.
        if let kept = try await kept(question) { return kept }
        let result = try await answer(question)
        try await keep(result, of: question, closing)
        return try result.get()
    }

    private func answer(_ question: UpstreamQuestion) async throws -> Result<[GeocodeMatch], AskFailure> {
        do throws(HTTPClientError) {
            let response = try await client.send(server.request(question))
            return NominatimServer.matches(response, at: clock.unixMilliseconds).map { $0.map(GeocodeMatch.init) }
        } catch {
            if error == .cancelled || error == .closed { throw CancellationError() }
            return .failure(AskFailure(error))
        }
    }

    private func kept(_ question: UpstreamQuestion) async throws -> [GeocodeMatch]? {
        let (key, now) = (question.key, clock.unixMilliseconds)
        let bytes = try await store.database.read { transaction throws(SQLError) in
            try transaction.geocoderAnswer(key, at: now)
        }
        return bytes.flatMap { try? GeocodeResponse(packed: $0) }?.matches
    }

    private func keep(
        _ result: Result<[GeocodeMatch], AskFailure>, of question: UpstreamQuestion, _ closing: Int64
    ) async throws {
        let (key, now, expiry) = (question.key, clock.unixMilliseconds, server.rules.expiryMilliseconds)
        try await store.database.write(DiscoveryStore.scope) { transaction throws(SQLError) in
            var standing = try transaction.standing(Self.name)
            switch result {
            case .success(let matches):
                standing.succeeded(since: closing)
                let bytes = GeocodeResponse(matches: matches).packedBytes()
                try transaction.putGeocoderAnswer(key, bytes, expires: now + expiry)
            case .failure(let failure): standing.failed(failure, at: now)
            }
            try transaction.putStanding(standing, of: Self.name)
        }
    }
}

extension GeocodeMatch {
    /// What another geocoder knows.
    init(_ match: ForeignMatch) {
        self.init()
        kind =
            switch match.kind {
            case .country: .country
            case .region: .region
            case .town: .town
            case .address: .address
            case .other: .other
            }
        name = match.name
        position = BaseContracts.Coordinate(match.position)
        box = BaseContracts.Box(match.box)
        (region, countryCode, country) = (match.region, match.countryCode, match.country)
        (town, postcode) = (match.town, match.postcode)
        attribution = match.attribution
        // All servers of this kind are fed by OpenStreetMap.
        licence = "ODbL-1.0"
    }
}
