import Geo
import HTTPClient

/// Foursquare in its shape of 2025: circles, the nearest first, and a cursor for the next page.
struct FoursquareProvider: PlaceProvider {
    static let usualURL = "https://places-api.foursquare.com"
    private static let version = "2025-06-17"
    static let limit = 50
    private static let fields = "fsq_place_id,name,latitude,longitude,categories,location,tel,website"

    let url: String
    let key: String

    var network: Network { .foursquare }
    var about: ProviderAbout { .foursquare }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let circle = patch.circleTexts
        var fields = [
            ("ll", "\(circle.latitude),\(circle.longitude)"), ("radius", circle.radius), ("limit", "\(Self.limit)"),
            ("sort", "DISTANCE"), ("fields", Self.fields),
        ]
        if let cursor { fields.append(("cursor", cursor)) }
        return HTTPClientRequest(
            url: "\(url)/places/search?\(FormText.text(fields))",
            headers: [
                ("Authorization", "Bearer \(key)"), ("X-Places-Api-Version", Self.version),
                ("Accept", "application/json"),
            ])
    }

    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<ProviderPage, AskFailure> {
        let said = Refusal(json: response.body)?.message
        if let failure = AskFailure(response, at: unixMilliseconds, says: said) { return .failure(failure) }
        guard let answer = Answer(json: response.body) else {
            return .failure(AskFailure(.malformed, "its answer is not of the shape of 2025"))
        }
        let cursor = LinkHeader.cursor(response.headers["link"])
        return .success(
            ProviderPage(
                places: answer.results.elements.compactMap(\.place),
                isFull: cursor != nil || answer.results.count >= Self.limit, cursor: cursor))
    }

    private struct Refusal: Decodable {
        let message: String
    }

    private struct Answer: Decodable {
        let results: LossyList<Venue>
    }

    private struct Venue: Decodable {
        struct Location: Decodable {
            let address: String?
            let locality: String?
            let country: String?
            let formatted_address: String?
        }

        let fsq_place_id: String
        let name: String?
        let latitude: Double?
        let longitude: Double?
        let categories: LossyList<FoursquareCategory>?
        let location: Location?
        let tel: String?
        let website: String?

        var place: FoundPlace? {
            FoundPlace(
                id: fsq_place_id, name: name, latitude: latitude, longitude: longitude,
                categories: FoursquareCategory.paths(categories?.elements),
                attributes: [
                    ("address", location?.address), ("city", location?.locality), ("country", location?.country),
                    ("formatted_address", location?.formatted_address), ("phone", tel), ("website", website),
                ])
        }
    }
}

/// Foursquare in its second shape: circles, and no second page.
struct FoursquareV2Provider: PlaceProvider {
    static let usualURL = "https://api.foursquare.com"
    /// A date, by which it knows what its answers should look like.
    private static let version = "20180323"

    let url: String
    /// The client's id and its secret.
    let key: (id: String, secret: String)

    var network: Network { .foursquare }
    var about: ProviderAbout { .foursquare }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let circle = patch.circleTexts
        // Without this intent it passes over the radius.
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
        return .success(
            ProviderPage(
                places: venues.flatMap { $0.elements.compactMap(\.place) }, isFull: count >= FoursquareProvider.limit))
    }

    private struct Envelope: Decodable {
        let meta: Meta
        let response: Venues?
    }

    private struct Meta: Decodable {
        let code: Int
        let errorType: String?
        let errorDetail: String?

        /// Why the envelope says that it is no answer; nil when it does not.
        func failure(_ wait: Int64?) -> AskFailure? {
            guard code != 200 else { return nil }
            let reason = [errorType, errorDetail].compactMap(\.self).joined(separator: ": ").prefix(200)
            let text = reason.isEmpty ? "it refuses (\(code))" : "\(reason) (\(code))"
            switch errorType {
            case "rate_limit_exceeded", "quota_exceeded":
                return AskFailure(.quota, text, retryAfterMilliseconds: wait)
            case "invalid_auth", "not_authorized": return AskFailure(.auth, text)
            case "param_error", "endpoint_error", "deprecated": return AskFailure(.malformed, text)
            case "server_error": return AskFailure(.unavailable, text, retryAfterMilliseconds: wait)
            default:
                let status = HTTPClientResponse(status: code)
                var failure = AskFailure(status, at: 0, says: reason.isEmpty ? nil : String(reason))
                failure?.retryAfterMilliseconds = wait
                return failure
            }
        }
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

/// A category as Foursquare names it: "Ice Cream Shop" becomes "foursquare/ice_cream_shop".
private struct FoursquareCategory: Decodable {
    let name: String

    static func paths(_ categories: [FoursquareCategory]?) -> [String] {
        (categories ?? []).map { category in
            let words = category.name.lowercased().split { !$0.isLetter && !$0.isNumber }
            return "foursquare/\(words.joined(separator: "_"))"
        }
    }
}

extension ProviderAbout {
    fileprivate static let foursquare = ProviderAbout(attribution: "Foursquare", maximumRadiusMetres: 100_000)
}

/// The way to the next page in a header: `<https://host/path?cursor=abc>; rel="next"`.
enum LinkHeader {
    static func cursor(_ value: String?) -> String? {
        for link in (value ?? "").split(separator: ",") where link.contains("rel=\"next\"") {
            guard let start = link.firstIndex(of: "<"), let end = link[start...].firstIndex(of: ">"),
                let question = link[start..<end].firstIndex(of: "?")
            else { continue }
            for field in link[question..<end].dropFirst().split(separator: "&") where field.hasPrefix("cursor=") {
                let cursor = unescaped(field.dropFirst("cursor=".count))
                return cursor.isEmpty ? nil : cursor
            }
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
