import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Foursquare in its second shape: circles, and no second page.
struct FoursquareV2Provider: PlaceProvider {
    static let defaultURL = "https://api.foursquare.com"
    /// A date by which the server chooses the format of its answers.
    private static let version = "20180323"

    let url: String
    /// The client's id and its secret.
    let key: (id: String, secret: String)

    var network: Network { .foursquare }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let circle = patch.circleTexts
        // Without this intent it ignores the radius.
        let fields = [
            ("ll", "\(circle.latitude),\(circle.longitude)"), ("intent", "browse"), ("radius", circle.radius),
            ("limit", "\(FoursquareProvider.limit)"), ("client_id", key.id), ("client_secret", key.secret),
            ("v", Self.version),
        ]
        return HTTPClientRequest(url: "\(url)/v2/venues/search?\(FormText.text(fields))")
    }

    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<ProviderPage, AskFailure> {
        let envelope = Envelope(json: response.body)
        let wait = RetryAfter.milliseconds(response, at: unixMilliseconds)
        if let refusal = envelope?.meta.failure(wait) { return .failure(refusal) }
        if response.status == 403, envelope == nil {
            return .failure(AskFailure(.quota, "the rate limit is reached (403)", retryAfterMilliseconds: wait))
        }
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let venues = envelope?.response?.all else {
            return .failure(AskFailure(.malformed, "its answer is not of the second shape"))
        }
        let count = venues.reduce(0) { $0 + $1.count }
        return ProviderPage.read(
            venues.flatMap { $0.elements.compactMap(\.place) }, of: count, isFull: count >= FoursquareProvider.limit)
    }

    private struct Envelope: Decodable {
        let meta: FoursquareMeta
        let response: Venues?
    }

    private struct Venues: Decodable {
        struct Group: Decodable {
            let items: LossyList<Venue>
        }

        let venues: LossyList<Venue>?
        let groups: [Group]?

        /// Old answers have them in groups.
        var all: [LossyList<Venue>]? { venues.map { [$0] } ?? groups?.map(\.items) }
    }

    private struct Venue: Decodable {
        struct Location: Decodable {
            let lat: Double?
            let lng: Double?
            let address: String?
            let city: String?
            let cc: String?
        }

        let id: String
        let name: String?
        let location: Location?
        let categories: LossyList<FoursquareCategory>?

        var place: FoundPlace? {
            FoundPlace(
                id: id, name: name, latitude: location?.lat, longitude: location?.lng,
                categories: FoursquareCategory.paths(categories?.elements),
                attributes: [
                    ("address", location?.address), ("city", location?.city), ("country", location?.cc),
                ])
        }
    }
}
