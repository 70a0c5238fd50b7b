import Bytes
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Foursquare's photos of a venue, in each of the shapes that its API has had. One request is enough: no album has more
/// than an answer.
///
/// https://docs.foursquare.com/developer/reference/place-photos
struct FoursquarePhotos: PictureSource {
    /// The version of the API.
    enum Shape: String {
        case second = "v2", third = "v3"
        /// Its photos are paid for one by one.
        case current = "2025"
    }

    static let network = Network.foursquare.name
    /// Its pictures are on hosts of these names.
    private static let hosts = ["4sqi.net", "img-s.foursquare.com"]
    /// Dates by which the server chooses the format of its answers.
    private static let (secondVersion, currentVersion) = ("20180323", "2025-06-17")

    static let about = ProviderAbout(
        gives: "photos", attribution: "Foursquare",
        sends: "It learns of which of its venues the album is opened, the key, and this server's address.")

    let shape: Shape
    let url: String
    /// In the second shape "ID:SECRET". No error, log or metric has it.
    let key: String
    /// What addresses of bytes begin with, if the operator names it.
    var files: String?

    var isNamedByOperator: Bool { files != nil }

    static func defaultURL(_ shape: Shape) -> String {
        shape == .current ? "https://places-api.foursquare.com" : "https://api.foursquare.com"
    }

    func mayFetch(_ url: String) -> Bool {
        if let files { return url.begins(with: files) }
        guard let host = url.after("https://")?.until("/") else { return false }
        return Self.hosts.contains { host.isSame(as: $0) || host.ends(with: ".\($0)") }
    }

    func request(_ venue: String) -> HTTPClientRequest {
        switch shape {
        case .second:
            let parts = key.split(at: ":", maxSplits: 1).map(String.init)
            let fields = [
                ("group", "venue"), ("limit", "200"), ("client_id", parts.first ?? ""),
                ("client_secret", parts.last ?? ""),
                ("v", Self.secondVersion),
            ]
            return HTTPClientRequest(url: "\(url)/v2/venues/\(venue)/photos?\(FormText.text(fields))")
        case .third:
            return HTTPClientRequest(
                url: "\(url)/v3/places/\(venue)/photos?limit=50&sort=POPULAR",
                headers: [("Authorization", key), ("Accept", "application/json")])
        case .current:
            return HTTPClientRequest(
                url: "\(url)/places/\(venue)/photos?limit=50&sort=POPULAR",
                headers: [
                    ("Authorization", "Bearer \(key)"), ("X-Places-Api-Version", Self.currentVersion),
                    ("Accept", "application/json"),
                ])
        }
    }

    /// The photos of a venue in an answer about it.
    func photos(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64, of venue: String, at position: Coordinate
    ) -> Result<[Photo], AskFailure> {
        // A venue that is not there any more has no photos.
        if response.status == 404 || response.status == 410 { return .success([]) }
        let answer = shape == .second ? second(response, unixMilliseconds) : later(response, unixMilliseconds)
        return answer.map { $0.compactMap { photo($0, venue, position) } }
    }

    /// Nil when it may not be shown, or not be fetched.
    private func photo(_ listed: FoursquareAnswer.Listed, _ venue: String, _ position: Coordinate) -> Photo? {
        guard let id = listed.fsq_photo_id ?? listed.id, Self.isID(id), listed.visibility ?? "public" == "public",
            let url = listed.address, mayFetch(url), url.utf8.count <= 2_048
        else { return nil }
        let taken = TakenTime.ofSeconds(listed.createdAt)
        return FoundPhoto(
            network: Self.network, id: id, title: "", position: position,
            credit: Credit(author: listed.author, licence: "", sourceURL: "https://foursquare.com/v/\(venue)"),
            fetchURL: url, width: listed.width ?? 0, height: listed.height ?? 0,
            takenMilliseconds: taken ?? TakenTime.ofMoment(listed.created_at.map { "\($0.prefix(19))Z" }))?.photo
    }

    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isDigit }
    }

    private func second(
        _ response: HTTPClientResponse, _ now: Int64
    ) -> Result<[FoursquareAnswer.Listed], AskFailure> {
        let answer = FoursquareAnswer(json: response.body)
        let wait = RetryAfter.milliseconds(response, at: now)
        if let refusal = answer?.meta.failure(wait) { return .failure(refusal) }
        if response.status == 403, answer == nil {
            return .failure(AskFailure(.quota, "the rate limit is reached (403)", retryAfterMilliseconds: wait))
        }
        if let failure = AskFailure(response, at: now) { return .failure(failure) }
        guard let photos = answer?.response?.photos else {
            return .failure(AskFailure(.malformed, "its answer is not of the second shape"))
        }
        return .success(photos.items?.elements ?? [])
    }

    private func later(
        _ response: HTTPClientResponse, _ now: Int64
    ) -> Result<[FoursquareAnswer.Listed], AskFailure> {
        let said = FoursquareAnswer.Refusal(json: response.body)?.message
        if let failure = AskFailure(response, at: now, says: said) { return .failure(failure) }
        guard let photos = LossyList<FoursquareAnswer.Listed>(json: response.body) else {
            return .failure(AskFailure(.malformed, "its answer is not a list of photos"))
        }
        return .success(photos.elements)
    }
}
