import Arguments
import Bytes
import Daemon
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Flickr: the photos within a circle under a licence that lets them be shown, the nearest first.
///
/// https://www.flickr.com/services/api/flickr.photos.search.html
struct FlickrProvider: ConfigurablePhotoProvider {
    static let defaultURL = "https://api.flickr.com/services/rest"
    /// Where its pictures are.
    static let filesURL = "https://live.staticflickr.com/"
    /// The most photos in an answer about an area.
    static let pageSize = 250
    /// The most photos that a search gives: pages behind them repeat earlier ones.
    static let reach = 4_000

    let url: String
    /// The operator's key. No error, log or metric has it.
    let key: String
    /// What addresses of bytes begin with.
    var files = filesURL

    var name: String { Network.flickr.name }
    var isNamedByOperator: Bool { files != Self.filesURL }
    var about: ProviderAbout {
        ProviderAbout(
            gives: "photos", attribution: "Flickr, under the licence of each photo", maximumRadiusMetres: 31_900)
    }

    func mayFetch(_ url: String) -> Bool { url.begins(with: files) }

    static func configured(_ options: Options) throws(OptionError) -> ConfiguredPhotoProvider? {
        guard let key = try options.secret(inFile: "--flickr-key-file") else { return nil }
        let url = try NetworkOptions.url("--flickr-url", options)
        var flickr = FlickrProvider(url: url ?? defaultURL, key: key)
        if let files = try NetworkOptions.url("--flickr-files", options) { flickr.files = files + "/" }
        return ConfiguredPhotoProvider(provider: flickr)
    }

    func request(_ patch: GridPatch, cursor: String?) -> HTTPClientRequest {
        let circle = patch.circleTexts
        let fields = [
            ("method", "flickr.photos.search"), ("api_key", key), ("lat", circle.latitude),
            ("lon", circle.longitude), ("radius", "\((Double(circle.radius) ?? 0) / 1_000)"), ("radius_units", "km"),
            // Without a date only the last hours are searched.
            ("min_upload_date", "1"), ("license", FlickrLicence.numbers), ("media", "photos"),
            ("content_type", "1"), ("safe_search", "1"),
            ("extras", "license,owner_name,geo,date_taken,o_dims,media,tags,url_l,url_c,url_z,url_m"),
            ("per_page", "\(Self.pageSize)"), ("page", cursor ?? "1"), ("format", "json"), ("nojsoncallback", "1"),
        ]
        return HTTPClientRequest(url: "\(url)/?\(FormText.text(fields))")
    }

    func answer(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64
    ) -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        stated(response, at: unixMilliseconds).flatMap(photos)
    }

    /// An answer that says how it stands.
    func stated(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64
    ) -> Result<FlickrAnswer, AskFailure> {
        if let failure = AskFailure(response, at: unixMilliseconds) { return .failure(failure) }
        guard let answer = FlickrAnswer(json: response.body) else {
            return .failure(AskFailure(.malformed, "its answer is not the JSON that it describes"))
        }
        return .success(answer)
    }

    private func photos(in answer: FlickrAnswer) -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        if let failure = answer.failure(hiding: key) { return .failure(failure) }
        guard let page = answer.photos, let total = page.total?.count, page.photo != nil || total == 0 else {
            return .failure(AskFailure(.malformed, "its answer counts photos and lists none"))
        }
        if let failure = page.photo?.failure { return .failure(failure) }
        let photos = page.photo?.elements.compactMap { $0.photo(self) } ?? []
        // More than it gives for an area: the parts of the area are asked about.
        if total > Self.reach { return .success(AnswerPage(items: photos, isFull: true)) }
        let number = page.page?.count ?? 1
        let isLast = number >= page.pages?.count ?? 1 || page.photo?.count ?? 0 == 0
        return .success(AnswerPage(items: photos, isFull: !isLast, cursor: isLast ? nil : "\(number + 1)"))
    }
}
