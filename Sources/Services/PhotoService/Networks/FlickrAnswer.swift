import Bytes
import Geo
import LiveNetworks

/// An answer of Flickr, as far as it is of use. Its numbers are numbers or texts, depending on the year.
struct FlickrAnswer: Decodable {
    struct Page: Decodable {
        let page: LooseNumber?
        let pages: LooseNumber?
        let total: LooseNumber?
        let photo: LossyList<Listed>?
    }

    struct Listed: Decodable {
        let id: LooseText
        let owner: String
        let secret: String?
        let server: LooseText?
        let title: String?
        let ownername: String?
        let license: LooseText?
        let latitude: LooseNumber?
        let longitude: LooseNumber?
        let ispublic: LooseText?
        let media: String?
        let safety_level: LooseText?
        let datetaken: String?
        let datetakenunknown: LooseText?
        /// With blanks between them; without blanks, upper case and signs in them.
        let tags: LooseValue<String>?
        let o_width: LooseNumber?
        let o_height: LooseNumber?
        // The longest side has 1,024, 800, 640 and 500 pixels; a size that there is not is left out.
        let url_l: String?
        let url_c: String?
        let url_z: String?
        let url_m: String?
    }

    let stat: String
    let photos: Page?
    let code: LooseNumber?
    let message: String?
}

extension FlickrAnswer {
    /// Why it refuses, which it does with status 200; nil when it does not. What it says never has the key in it.
    func failure(hiding key: String) -> AskFailure? {
        guard stat != "ok" else { return nil }
        let said = (message ?? "it does not say why").replacing(each: key, with: "…")
        let text = "it refuses: \(PlainText.line(said, limit: 200))"
        switch code?.count {
        case 100: return AskFailure(.auth, text)
        // The search is away, the service is away, a write failed: these pass by themselves.
        case 10, 105, 106: return AskFailure(.unavailable, text)
        default: return AskFailure(.malformed, text)
        }
    }
}

extension FlickrAnswer.Listed {
    /// Nil unless it is a public photo that is safe for all, with a place and a licence that lets it be shown, whose
    /// bytes may be fetched.
    func photo(_ flickr: FlickrProvider) -> FoundPhoto? {
        guard isForAll, let latitude = latitude?.value, let longitude = longitude?.value,
            latitude != 0 || longitude != 0,
            let position = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        let facts = FlickrFacts(
            id: id.text, owner: owner, ownerName: ownername, title: title, licence: license?.text,
            taken: datetakenunknown?.text == "1" ? nil : datetaken,
            tags: (tags?.value ?? "").split(at: " ").map(String.init),
            url: url_l ?? url_c ?? url_z ?? url_m, server: server?.text, secret: secret)
        return facts.photo(flickr, at: position, width: o_width?.pixels ?? 0, height: o_height?.pixels ?? 0)
    }

    private var isForAll: Bool {
        ispublic?.text ?? "1" == "1" && media ?? "photo" == "photo" && safety_level?.text ?? "0" == "0"
    }
}
