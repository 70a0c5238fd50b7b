import Arguments
import Bytes
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Foursquare in its shape of 2025: circles, the nearest first, and a cursor for the next page.
struct FoursquareProvider: ConfigurableProvider {
    static let defaultURL = "https://places-api.foursquare.com"
    private static let version = "2025-06-17"
    static let limit = 50
    private static let fields = "fsq_place_id,name,latitude,longitude,categories,location,tel,website"

    let url: String
    let key: String

    var network: Network { .foursquare }

    /// In the shape that is set.
    static func configured(_ options: Options) throws(OptionError) -> ConfiguredProvider? {
        guard let key = options["--foursquare-key"] else { return nil }
        let url = try NetworkOptions.url("--foursquare-url", options)
        switch options["--foursquare-shape"] {
        case "2025": return ConfiguredProvider(provider: FoursquareProvider(url: url ?? defaultURL, key: key))
        case "v2":
            let parts = key.split(at: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw OptionError("--foursquare-key must be ID:SECRET in the shape v2") }
            let address = url ?? FoursquareV2Provider.defaultURL
            return ConfiguredProvider(provider: FoursquareV2Provider(url: address, key: (parts[0], parts[1])))
        case let shape: throw OptionError("--foursquare-shape is \(shape ?? ""); v2 and 2025 are known")
        }
    }

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
        let next = LinkHeader.next(response.headers["link"])
        let cursor: String? = if case .cursor(let text) = next { text } else { nil }
        return ProviderPage.read(
            answer.results.elements.compactMap(\.place), of: answer.results.count,
            isFull: next != .none || answer.results.count >= Self.limit, cursor: cursor)
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

/// A category as Foursquare names it: "Ice Cream Shop" becomes "foursquare/ice_cream_shop".
struct FoursquareCategory: Decodable {
    let name: String

    static func paths(_ categories: [FoursquareCategory]?) -> [String] {
        (categories ?? []).map { category in
            let words = category.name.lowercased().split(atScalars: { !$0.isAlphabetic && !$0.isNumeric })
            return "foursquare/\(words.joined(separator: "_"))"
        }
    }
}
