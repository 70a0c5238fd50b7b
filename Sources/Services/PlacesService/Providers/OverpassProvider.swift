import Arguments
import Bytes
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// OpenStreetMap by the Overpass API: named things of the kinds that people go to, within boxes.
struct OverpassProvider: ConfigurableProvider {
    static let defaultURL = Network.openstreetmap.asked?.address ?? ""
    /// The most elements of an answer. Truncated answers have no order, so a full answer is worth little.
    static let defaultLimit = 2_000
    /// For more boxes than this, one around them all is requested.
    private static let maximumBoxes = 24
    /// In the order of a place's categories.
    static let kinds = ["amenity", "shop", "tourism", "leisure", "historic"]

    let url: String
    var limit = defaultLimit
    /// Seconds that the server may work on an answer; the request waits a little longer.
    var serverSeconds = 25

    var network: Network { .openstreetmap }
    var asksForCircles: Bool { false }

    static func configured(_ options: Options) throws(OptionError) -> ConfiguredProvider? {
        let url = try NetworkOptions.url(Network.openstreetmap.addressFlag, options)
        return ConfiguredProvider(provider: OverpassProvider(url: url ?? defaultURL), isOn: url != nil)
    }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let exact = patch.boxes
        let boxes = exact.count <= Self.maximumBoxes ? exact : patch.hullBoxes
        let filter = #"["name"][~"^(\#(Self.kinds.joined(separator: "|")))$"~"."]"#
        let parts = boxes.flatMap { box in ["node", "way"].map { "\($0)\(filter)(\(Self.text(box)));" } }
        let query = "[out:json][timeout:\(serverSeconds)];(\(parts.joined()));out center \(limit);"
        var request = HTTPClientRequest(
            url: url, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(FormText.text([("data", query)]).utf8))
        request.timeout = .seconds(serverSeconds + 5)
        request.maximumBytes = 32 << 20
        return request
    }

    func answer(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<ProviderPage, AskFailure> {
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let answer = OverpassAnswer(json: response.body) else {
            // A busy server reports that in HTML, also with status 200.
            let isBusy = String(decoding: response.body.prefix(4_096), as: UTF8.self).holds("runtime error")
            return .failure(
                isBusy ? AskFailure(.unavailable, "it is too busy") : AskFailure(.malformed, "its answer is no JSON"))
        }
        // An answer with a remark is incomplete, even when it has elements.
        if let remark = answer.remark, remark.holds("error") {
            let kind: AskFailure.Kind = remark.holds("timed out") ? .timeout : .unavailable
            return .failure(AskFailure(kind, String(remark.prefix(200))))
        }
        return ProviderPage.read(
            answer.elements.elements.compactMap(\.place), of: answer.elements.count,
            isFull: answer.elements.count >= limit)
    }

    /// A way's centre may be in a box that the way itself does not touch.
    func isListed(_ id: String) -> Bool { id.begins(with: "node/") }

    private static func text(_ box: Box) -> String {
        [box.southE7, box.westE7, box.northE7, box.eastE7].map(DegreeText.text).joined(separator: ",")
    }
}

private struct OverpassAnswer: Decodable {
    let elements: LossyList<Element>
    let remark: String?

    struct Element: Decodable {
        struct Centre: Decodable {
            let lat: Double?
            let lon: Double?
        }

        let type: String
        let id: Int64
        let lat: Double?
        let lon: Double?
        let center: Centre?
        let tags: [String: String]?

        /// Nil when it has no name or no position.
        var place: FoundPlace? {
            let tags = tags ?? [:]
            let categories = OverpassProvider.kinds.flatMap { kind in
                (tags[kind] ?? "").split(at: ";").compactMap { value in
                    let value = value.trimmed
                    return value.isEmpty ? nil : "\(kind)/\(value)"
                }
            }
            let rest = tags.filter { $0.key != "name" && !OverpassProvider.kinds.contains($0.key) }
            return FoundPlace(
                id: "\(type)/\(id)", name: tags["name"], latitude: lat ?? center?.lat, longitude: lon ?? center?.lon,
                categories: categories, attributes: rest.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }
}
