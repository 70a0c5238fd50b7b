import Geo
import HTTPClient
import LiveNetworks

/// What Flickr says about one photo, as far as it is of use.
///
/// https://www.flickr.com/services/api/flickr.photos.getInfo.html
private struct FlickrInfo: Decodable {
    struct Photo: Decodable {
        let id: LooseText
        let owner: Owner
        let title: Content?
        let secret: String?
        let server: LooseText?
        let license: LooseText?
        let safety_level: LooseText?
        let visibility: Visibility?
        let dates: Dates?
        let media: String?
        let tags: LooseValue<Tags>?
    }

    struct Owner: Decodable {
        let nsid: String
        let username: String?
    }

    struct Content: Decodable { let _content: String }
    struct Visibility: Decodable { let ispublic: LooseText? }

    struct Dates: Decodable {
        let taken: String?
        let takenunknown: LooseText?
    }

    struct Tags: Decodable { let tag: LossyList<Content> }

    let photo: Photo?
}

extension FlickrInfo.Photo {
    /// Nil when it may not be shown any more.
    fileprivate func photo(_ flickr: FlickrProvider, at position: Coordinate) -> FoundPhoto? {
        guard visibility?.ispublic?.text ?? "1" == "1", media ?? "photo" == "photo", safety_level?.text ?? "0" == "0"
        else { return nil }
        let facts = FlickrFacts(
            id: id.text, owner: owner.nsid, ownerName: owner.username, title: title?._content, licence: license?.text,
            taken: dates?.takenunknown?.text == "1" ? nil : dates?.taken,
            tags: tags?.value?.tag.elements.map(\._content) ?? [], server: server?.text, secret: secret)
        return facts.photo(flickr, at: position, width: 0, height: 0)
    }
}

extension FlickrProvider: NamingProvider {
    /// What it refuses with when a photo is gone, or has become private.
    private static let notFound = 1

    var namesGone: Bool { false }
    var idLimit: Int { 1 }
    /// It names none of the sizes.
    var namesBytes: Bool { false }

    func request(ids: [String]) -> HTTPClientRequest {
        let fields = [
            ("method", "flickr.photos.getInfo"), ("api_key", key), ("photo_id", ids.first ?? ""), ("format", "json"),
            ("nojsoncallback", "1"),
        ]
        return HTTPClientRequest(url: "\(url)/?\(FormText.text(fields))")
    }

    func named(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64, elsewhere: Coordinate
    ) -> Result<AnswerPage<NamedPhoto>, AskFailure> {
        stated(response, at: unixMilliseconds).flatMap { answer in
            if answer.stat == "fail", answer.code?.count == Self.notFound {
                return .success(AnswerPage(items: [], isFull: false))
            }
            if let failure = answer.failure(hiding: key) { return .failure(failure) }
            guard let photo = FlickrInfo(json: response.body)?.photo else {
                return .failure(AskFailure(.malformed, "its answer about a photo does not describe one"))
            }
            let named = NamedPhoto(
                title: photo.id.text, id: photo.id.text, photo: photo.photo(self, at: elsewhere)?.photo)
            return .success(AnswerPage(items: [named], isFull: false))
        }
    }
}
