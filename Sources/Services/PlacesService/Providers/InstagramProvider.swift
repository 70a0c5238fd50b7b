import Arguments
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Instagram in the shape that it had until 2018, for servers that still speak it.
struct InstagramProvider: ConfigurableProvider {
    /// It does not state how long its answers may get; it never returned more than this.
    private static let limit = 20

    let url: String
    let token: String

    var network: Network { .instagram }

    static func configured(_ options: Options) throws(OptionError) -> ConfiguredProvider? {
        guard let url = try NetworkOptions.url(Network.instagram.addressFlag, options) else { return nil }
        return ConfiguredProvider(
            provider: InstagramProvider(url: url, token: try options.required("--instagram-token")))
    }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let circle = patch.circleTexts
        let fields = [
            ("lat", circle.latitude), ("lng", circle.longitude), ("distance", circle.radius), ("access_token", token),
        ]
        return HTTPClientRequest(url: "\(url)/v1/locations/search?\(FormText.text(fields))")
    }

    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<ProviderPage, AskFailure> {
        let envelope = Envelope(json: response.body)
        if let refusal = envelope?.meta.failure(RetryAfter.milliseconds(response, at: unixMilliseconds)) {
            return .failure(refusal)
        }
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let data = envelope?.data else {
            return .failure(AskFailure(.malformed, "its answer is not of the old shape"))
        }
        return ProviderPage.read(
            data.elements.compactMap(\.place), of: data.count, isFull: data.count >= Self.limit)
    }

    private struct Envelope: Decodable {
        let meta: InstagramMeta
        let data: LossyList<Location>?
    }

    private struct Location: Decodable {
        let id: LooseText
        let name: String?
        let latitude: Double?
        let longitude: Double?
        let street_address: String?

        var place: FoundPlace? {
            FoundPlace(
                id: id.text, name: name, latitude: latitude, longitude: longitude,
                attributes: [("address", street_address)])
        }
    }
}
