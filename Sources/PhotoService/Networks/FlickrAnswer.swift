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
        let said = (message ?? "it does not say why").split(separator: key).joined(separator: "…")
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
        guard Self.isNumber(id.text), Self.isName(owner), isForAll,
            let latitude = latitude?.value, let longitude = longitude?.value, latitude != 0 || longitude != 0,
            let position = try? Coordinate(latitude: latitude, longitude: longitude),
            let licence = license.flatMap({ FlickrLicence.names[$0.text] }),
            let fetch = address(flickr.files), flickr.mayFetch(fetch), fetch.utf8.count <= 2_048
        else { return nil }
        let author = PlainText.line(ownername ?? "", limit: 200)
        return FoundPhoto(
            network: flickr.name, id: id.text, title: PlainText.line(title ?? "", limit: 2_200), position: position,
            credit: Credit(
                author: author.isEmpty ? owner : author, licence: licence,
                sourceURL: "https://www.flickr.com/photos/\(owner)/\(id.text)"),
            fetchURL: fetch, width: o_width?.pixels ?? 0, height: o_height?.pixels ?? 0,
            takenMilliseconds: datetakenunknown?.text == "1" ? nil : TakenTime.ofClock(datetaken),
            tags: words)
    }

    /// Without those that are written by programs for programs: "geo:lat=48".
    private var words: [String] {
        (tags?.value ?? "").split(separator: " ").filter { !($0.contains(":") && $0.contains("=")) }.map(String.init)
    }

    private var isForAll: Bool {
        ispublic?.text ?? "1" == "1" && media ?? "photo" == "photo" && safety_level?.text ?? "0" == "0"
    }

    /// The largest size that is named; otherwise that of 500 pixels, which every photo has.
    private func address(_ files: String) -> String? {
        if let named = url_l ?? url_c ?? url_z ?? url_m { return Self.today(named) }
        guard let secret, let server = server?.text, Self.isNumber(server), Self.isName(secret) else { return nil }
        return "\(files)\(server)/\(id.text)_\(secret).jpg"
    }

    /// An address from the years when each of its farms had a name: the files are at the one of today.
    private static func today(_ url: String) -> String {
        for scheme in ["http://farm", "https://farm"] where url.hasPrefix(scheme) {
            let rest = url.dropFirst(scheme.count).drop { "0123456789".contains($0) }
            let host = ".staticflickr.com/"
            if rest.hasPrefix(host) { return FlickrProvider.filesURL + rest.dropFirst(host.count) }
        }
        return url
    }

    /// They become parts of addresses.
    private static func isNumber(_ text: String) -> Bool {
        (1...24).contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789".utf8.contains($0) }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "@-_".contains($0)) }
    }
}

/// The licences of Flickr under which a photo may be shown, by the numbers of `flickr.photos.licenses.getInfo`. Number
/// 0, "All Rights Reserved", is not among them: we keep pictures, in albums and favourites for years, and Flickr's terms
/// let a photo be kept only as its owner allows.
enum FlickrLicence {
    static let names = [
        "1": "CC BY-NC-SA 2.0", "2": "CC BY-NC 2.0", "3": "CC BY-NC-ND 2.0", "4": "CC BY 2.0", "5": "CC BY-SA 2.0",
        "6": "CC BY-ND 2.0", "7": "No known copyright restrictions", "8": "United States Government Work",
        "9": "CC0 1.0", "10": "Public Domain Mark 1.0", "11": "CC BY 4.0", "12": "CC BY-SA 4.0", "13": "CC BY-ND 4.0",
        "14": "CC BY-NC 4.0", "15": "CC BY-NC-SA 4.0", "16": "CC BY-NC-ND 4.0",
    ]

    /// All numbers, as a request has them.
    static let numbers = (1...names.count).map { "\($0)" }.joined(separator: ",")
}
