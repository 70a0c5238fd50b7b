import Bytes
import Geo
import LiveNetworks

/// An answer of Commons, as far as it is of use.
struct CommonsAnswer: Decodable {
    struct Query: Decodable {
        let pages: LossyList<Page>?
    }

    struct Fault: Decodable {
        let code: String
        let info: String?

        /// "ratelimited" and "maxlag" pass by themselves, as do faults of its own: "internal_api_error_DBQueryError"
        /// (https://www.mediawiki.org/wiki/API:Errors_and_warnings).
        var failure: AskFailure {
            let text = "it refuses: \((info ?? code).prefix(200))"
            switch code {
            case "ratelimited": return AskFailure(.quota, text)
            case "maxlag", "readonly": return AskFailure(.unavailable, text)
            case _ where code.begins(with: "internal_api_error"): return AskFailure(.unavailable, text)
            default: return AskFailure(.malformed, text)
            }
        }
    }

    struct Page: Decodable {
        struct Point: Decodable {
            let lat: Double
            let lon: Double
            let globe: String?

            /// Nil unless it is on Earth.
            var position: Coordinate? {
                globe ?? "earth" == "earth" ? try? Coordinate(latitude: lat, longitude: lon) : nil
            }
        }

        let pageid: Int64?
        /// Nil of a page that is gone.
        let title: String?
        let coordinates: LossyList<Point>?
        let imageinfo: LossyList<Image>?
    }

    struct Image: Decodable {
        let mime: String?
        let mediatype: String?
        let width: UInt32?
        let height: UInt32?
        let thumburl: String?
        let url: String?
        let descriptionurl: String?
        let extmetadata: [String: Value]?
    }

    struct Value: Decodable {
        let value: LooseText
    }

    let query: Query?
    let `continue`: [String: LooseText]?
    let error: Fault?
}

extension CommonsAnswer.Page {
    /// Nil unless it is a JPEG with a place on Earth, an author and a licence, whose bytes may be fetched. Pages of one
    /// answer may lack their image: it comes with the next. One that says no place is `elsewhere`.
    func photo(mayFetch: (String) -> Bool, elsewhere: Coordinate? = nil) -> FoundPhoto? {
        guard let pageid, let title, let image = imageinfo?.elements.first, image.mime == "image/jpeg",
            image.mediatype ?? "BITMAP" == "BITMAP",
            let position = coordinates?.elements.first.map(\.position) ?? elsewhere,
            let fetch = (image.thumburl ?? image.url).map(Self.withoutQuery), mayFetch(fetch),
            fetch.utf8.count <= 2_048,
            let licence = image.text("LicenseShortName"), !licence.isEmpty
        else { return nil }
        // Works in the public domain may have no author on record.
        let author = image.text("Artist") ?? ""
        let credit = Credit(
            author: author.isEmpty ? "unknown author" : author, licence: licence,
            sourceURL: image.descriptionurl.flatMap(Self.page) ?? "https://commons.wikimedia.org/?curid=\(pageid)")
        return FoundPhoto(
            network: "commons", id: "\(pageid)", title: Self.caption(title), position: position, credit: credit,
            fetchURL: fetch,
            width: image.width ?? 0, height: image.height ?? 0, takenMilliseconds: image.takenMilliseconds)
    }

    /// "File:Old bridge.jpg" is "Old bridge".
    private static func caption(_ title: String) -> String {
        var name = title[...]
        if let (_, rest) = name.halves(at: ":") { name = rest }
        if let dot = name.unicodeScalars.lastIndex(of: "."), dot != name.startIndex { name = name[..<dot] }
        return PlainText.line(String(name), limit: 2_200)
    }

    /// The address of a page that a browser may be led to.
    private static func page(_ url: String) -> String? {
        url.begins(with: "https://") && url.utf8.count <= 2_048 ? url : nil
    }

    private static func withoutQuery(_ url: String) -> String { String(url.until("?")) }
}

extension CommonsAnswer.Image {
    /// A value without its HTML.
    fileprivate func text(_ name: String) -> String? {
        (extmetadata?[name]?.value.text).map { PlainText.line(PlainText.ofHTML($0), limit: 200) }
    }

    fileprivate var takenMilliseconds: Int64? { TakenTime.ofClock(extmetadata?["DateTimeOriginal"]?.value.text) }
}
