import HTTP
import Synchronization
import TestSupport

@testable import PhotoService

/// A simulator of Flickr: the photos of a list by its pages, wherever is asked, and the bytes of each.
final class FlickrSimulator: Sendable {
    /// One photo of it, as its API lists it.
    struct Listed: Sendable {
        var id = 53_000_000_001
        var owner = "12345678@N00"
        var title = "Old harbour"
        var name = "A. Person"
        var licence = #""4""#
        var place = #""latitude":"48.8584","longitude":"2.2945","#
        var visible = #""ispublic":1,"isfriend":0,"isfamily":0,"#
        var sizes = #""url_l":"https://live.staticflickr.com/65535/1_aa_b.jpg","height_l":"683","width_l":1024,"#
        var tags = ""
        var secret = #""secret":"aa11","server":"65535","farm":66,"#

        var text: String {
            """
            {"id":"\(id)","owner":"\(owner)",\(secret)"title":"\(title)",\(visible)\(place)\(sizes)
             \(tags)"license":\(licence),"datetaken":"2019-09-07 16:26:44","datetakenunknown":"0","ownername":"\(name)",
             "o_width":"4000","o_height":3000,"accuracy":"16","media":"photo","views":"7"}
            """
        }
    }

    /// The most photos that any search gives: pages behind them repeat the last.
    private static let reach = 4_000

    private let photos: Mutex<[Listed]>
    private let failures: Mutex<[HTTPResponse]>
    /// How many it claims to have, and how it writes numbers.
    private let total: Int?
    private let writesTexts: Bool

    init(_ photos: [Listed], failures: [HTTPResponse] = [], total: Int? = nil, writesTexts: Bool = true) {
        self.photos = Mutex(photos)
        self.failures = Mutex(failures)
        self.total = total
        self.writesTexts = writesTexts
    }

    /// Deletes a photo, as its owner does.
    func delete(_ id: Int) { photos.withLock { $0.removeAll { $0.id == id } } }

    /// Changes a photo, as its owner does.
    func change(_ id: Int, _ body: (inout Listed) -> Void) {
        photos.withLock { photos in
            for index in photos.indices where photos[index].id == id { body(&photos[index]) }
        }
    }

    /// Answers the next request in another way.
    func fail(with failure: HTTPResponse) { failures.withLock { $0.append(failure) } }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard request.path == "/services/rest/" else {
            let bytes = TestJPEG(width: 640, height: 480).bytes { x, y in (UInt8(x & 255), UInt8(y & 255), 77) }
            return HTTPResponse(200, headers: [("Content-Type", "image/jpeg")], body: .bytes(bytes))
        }
        if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return failure }
        if request.query["method"] == "flickr.photos.getInfo" {
            let id = request.query["photo_id"].flatMap { Int($0) }
            guard let photo = photos.withLock({ $0.first { $0.id == id } }) else {
                return HTTPResponse(200, text: #"{"stat":"fail","code":1,"message":"Photo not found"}"#)
            }
            return HTTPResponse(200, text: Self.info(photo))
        }
        let page = request.query["page"].flatMap { Int($0) } ?? 1
        let size = min(request.query["per_page"].flatMap { Int($0) } ?? 100, 250)
        let host = request.headers["host"] ?? ""
        let all = photos.withLock { $0 }.map { photo in
            var photo = photo
            photo.sizes = photo.sizes.replacing("https://live.staticflickr.com", with: "http://\(host)/files")
            return photo
        }
        return HTTPResponse(200, text: list(all, page: page, size: size))
    }

    private func list(_ all: [Listed], page: Int, size: Int) -> String {
        let count = total ?? all.count
        let reachable = min(max(page, 1), max(1, Self.reach / size))
        let shown = all.dropFirst((reachable - 1) * size).prefix(size)
        return Self.list(
            Array(shown), page: page, pages: (count + size - 1) / size, total: writesTexts ? "\"\(count)\"" : "\(count)"
        )
    }

    /// What the API says about one photo.
    static func info(_ photo: Listed) -> String {
        let tags = photo.tags.split(separator: "\"").dropFirst(2).first.map { $0.split(separator: " ") } ?? []
        let listed = tags.enumerated().map { #"{"id":"1-\#($0)","raw":"\#($1)","_content":"\#($1)","machine_tag":0}"# }
        return """
            {"photo":{"id":"\(photo.id)",\(photo.secret)"dateuploaded":"1567873604","isfavorite":0,
             "license":\(photo.licence),"safety_level":"0","rotation":0,
             "owner":{"nsid":"\(photo.owner)","username":"\(photo.name)","realname":"","path_alias":null},
             "title":{"_content":"\(photo.title)"},"description":{"_content":""},
             "visibility":{\(photo.visible.dropLast())},
             "dates":{"posted":"1567873604","taken":"2019-09-07 16:26:44","takengranularity":0,"takenunknown":"0"},
             "tags":{"tag":[\(listed.joined(separator: ","))]},"media":"photo"},"stat":"ok"}
            """
    }

    /// An answer of the API.
    static func list(_ photos: [Listed], page: Int = 1, pages: Int = 1, total: String? = nil) -> String {
        let listed = photos.map(\.text).joined(separator: ",")
        let total = total ?? "\(photos.count)"
        return #"{"photos":{"page":\#(page),"pages":\#(pages),"perpage":250,"total":\#(total),"photo":[\#(listed)]},"#
            + #""stat":"ok"}"#
    }
}
