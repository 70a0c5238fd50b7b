import Arguments
import Bytes
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Wikimedia Commons by the API of MediaWiki: the photos within a circle, 50 in an answer, until the list has an end.
///
/// https://www.mediawiki.org/wiki/API:Geosearch
struct CommonsProvider: ConfigurablePhotoProvider {
    static let defaultURL = Network.commons.asked?.address ?? ""
    /// The most files that one search lists.
    static let limit = 500
    /// A standard width of Commons' thumbnails: as large as a phone's screen, and some 300 kB.
    static let width = 1_280
    /// https://www.mediawiki.org/wiki/Common_thumbnail_sizes, and where files lie that are smaller.
    static let hosts = ["https://thumb.wikimedia.org/", "https://upload.wikimedia.org/"]

    let url: String
    /// What addresses of bytes begin with.
    var files = hosts
    /// The API of Wikidata, whose items name files of Commons.
    var itemsURL = "https://www.wikidata.org/w/api.php"

    var name: String { Network.commons.name }
    var about: ProviderAbout {
        ProviderAbout(
            gives: "photos", attribution: "Wikimedia Commons, under the licence of each photo",
            maximumRadiusMetres: 10_000)
    }

    var isNamedByOperator: Bool { files != Self.hosts }

    func mayFetch(_ url: String) -> Bool { files.contains { url.begins(with: $0) } }

    static func configured(_ options: Options) throws(OptionError) -> ConfiguredPhotoProvider? {
        let url = try NetworkOptions.url("--commons-url", options)
        var commons = CommonsProvider(url: url ?? defaultURL)
        if let files = try NetworkOptions.url("--commons-files", options) { commons.files = [files + "/"] }
        if let items = try NetworkOptions.url("--wikidata-url", options) { commons.itemsURL = items }
        return ConfiguredPhotoProvider(provider: commons, isOn: url != nil)
    }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let circle = patch.circleTexts
        let radius = max(10, Int(circle.radius) ?? 10)
        let rest = cursor.map { "&\($0)" } ?? ""
        return request(
            for: [
                ("generator", "geosearch"), ("ggscoord", "\(circle.latitude)|\(circle.longitude)"),
                ("ggsradius", "\(radius)"), ("ggslimit", "\(Self.limit)"), ("ggsnamespace", "6"),
                ("ggsprimary", "all"),
            ], rest: rest)
    }

    /// The request for some files, with all that is needed to show them.
    func request(for pages: [(String, String)], rest: String = "") -> HTTPClientRequest {
        let fields = [("action", "query"), ("format", "json"), ("formatversion", "2")]
        let properties = [
            ("prop", "imageinfo|coordinates"), ("colimit", "\(Self.limit)"),
            ("iiprop", "url|size|mime|mediatype|extmetadata"), ("iiurlwidth", "\(Self.width)"),
            ("iiextmetadatafilter", "Artist|LicenseShortName|DateTimeOriginal"),
        ]
        return HTTPClientRequest(url: "\(url)?\(FormText.text(fields + pages + properties))\(rest)")
    }

    func answer(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64
    ) -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        parsed(response, at: unixMilliseconds).map { answer in
            let pages = answer.query?.pages
            let cursor = answer.continue.map(Self.cursor)
            return AnswerPage(
                items: pages?.elements.compactMap { $0.photo(mayFetch: mayFetch) } ?? [],
                isFull: cursor != nil || pages?.count ?? 0 >= Self.limit, cursor: cursor)
        }
    }

    func parsed(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Result<CommonsAnswer, AskFailure> {
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let answer = CommonsAnswer(json: response.body) else {
            return .failure(AskFailure(.malformed, "its answer is not the JSON that it describes"))
        }
        if let failure = answer.query?.pages?.failure { return .failure(failure) }
        // Its errors have status 200.
        return answer.error.map { .failure($0.failure) } ?? .success(answer)
    }

    /// What the next request has to repeat, as the fields of a form.
    private static func cursor(_ fields: [String: LooseText]) -> String {
        FormText.text(fields.map { ($0.key, $0.value.text) }.sorted { $0.0 < $1.0 })
    }
}
