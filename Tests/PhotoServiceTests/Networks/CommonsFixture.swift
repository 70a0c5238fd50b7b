import FoundationEssentials
import HTTP
import Synchronization
import TestSupport

@testable import PhotoService

/// A simulator of Wikimedia Commons: the files of a list, whatever is asked, and the bytes of each.
final class CommonsFixture: Sendable {
    /// One file of it.
    struct File: Sendable {
        var id: Int
        var title = "File:Bridge.jpg"
        var latitude = 48.8584
        var longitude = 2.2945
        var mime = "image/jpeg"
        var artist: String? = "<a href='//commons.wikimedia.org/wiki/User:Ann'>Ann &amp; Bo</a>"
        var licence: String? = "CC BY-SA 4.0"
        /// What its bytes are answered with, in turn; the last one again and again.
        var statuses = [200]
        /// Where its bytes are, instead of here.
        var address: String?
        /// Whether it is near what a search by position asks for, and says where it is.
        var isNear = true
        /// The category that it is in.
        var category: String?
    }

    private let files: Mutex<[File]>
    /// Closed, it holds back what a list is asked for.
    let gate: Gate?
    /// Closed, it holds back what is asked for by name.
    let namesGate: Gate?
    /// Closed, it holds back the second half of each picture.
    let halfGate: Gate?
    private let fetches = Mutex<[Int: Int]>([:])
    private let failures: Mutex<[HTTPResponse]>

    /// What items of Wikidata have as their picture.
    private let images: [String: String]

    init(
        _ files: [File], images: [String: String] = [:], failures: [HTTPResponse] = [], gate: Gate? = nil,
        namesGate: Gate? = nil, halfGate: Gate? = nil
    ) {
        self.files = Mutex(files)
        self.images = images
        self.gate = gate
        self.namesGate = namesGate
        self.halfGate = halfGate
        self.failures = Mutex(failures)
    }

    /// Answers the next questions with failures.
    func fail(with responses: [HTTPResponse]) { failures.withLock { $0 += responses } }

    /// Changes what it has.
    func change(_ change: (inout [File]) -> Void) { files.withLock { change(&$0) } }

    /// How often the bytes of each file were asked for.
    var fetched: [Int: Int] { fetches.withLock { $0 } }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let parts = request.path.split(separator: "/")
        guard parts.first == "files", let id = parts.last.flatMap({ Int($0.prefix { $0 != "." }) }),
            let file = files.withLock({ $0.first(where: { $0.id == id }) })
        else {
            await gate?.pass()
            if request.query["titles"] != nil { await namesGate?.pass() }
            if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return failure }
            if let item = request.query["entity"] { return HTTPResponse(200, text: claims(of: item)) }
            return HTTPResponse(
                200, text: Self.list(asked(request), at: request.headers["host"] ?? "", gone: gone(request)))
        }
        let turn = fetches.withLock { fetches in
            fetches[id, default: 0] += 1
            return fetches[id, default: 1] - 1
        }
        let status = file.statuses[min(turn, file.statuses.count - 1)]
        let bytes = TestJPEG(width: 640, height: 480).bytes { x, y in
            (UInt8(x & 255), UInt8(y & 255), UInt8(truncatingIfNeeded: id * 20))
        }
        guard status == 200, let halfGate else {
            return HTTPResponse(status, body: .bytes(status == 200 ? bytes : []))
        }
        let half = bytes.count / 2
        return HTTPResponse(
            200,
            body: .stream(count: bytes.count) { writer in
                try await writer.write(Array(bytes[..<half]))
                await halfGate.pass()
                try await writer.write(Array(bytes[half...]))
            })
    }

    /// The files that a request asks for: by their names, by their category, or by a position.
    private func asked(_ request: HTTPRequest) -> [File] {
        let files = files.withLock { $0 }
        if let ids = request.query["pageids"]?.split(separator: "|").map({ Int($0) }) {
            return files.filter { ids.contains($0.id) }
        }
        if let titles = request.query["titles"]?.split(separator: "|").map({ String($0) }) {
            return files.filter { titles.contains($0.title) }
        }
        if let category = request.query["gcmtitle"] { return files.filter { $0.category == category } }
        return files.filter(\.isNear)
    }

    /// The ids of a request that it does not have.
    private func gone(_ request: HTTPRequest) -> [Int] {
        let known = Set(files.withLock { $0.map(\.id) })
        let ids = (request.query["pageids"] ?? "").split(separator: "|").compactMap { Int($0) }
        return ids.filter { !known.contains($0) }
    }

    /// What Wikidata says about the picture of an item; one that is outdated comes first.
    private func claims(of item: String) -> String {
        guard let image = images[item] else { return #"{"claims":{}}"# }
        let snak: (String) -> String = {
            #"{"snaktype":"value","property":"P18","datavalue":{"value":"\#($0)","type":"string"}}"#
        }
        return #"""
            {"claims":{"P18":[{"mainsnak":\#(snak("Old.jpg")),"rank":"deprecated"},
            {"mainsnak":{"snaktype":"somevalue","property":"P18"},"rank":"normal"},
            {"mainsnak":\#(snak(image)),"rank":"normal"}]}}
            """#
    }

    /// An answer of the API about files, whose bytes are at a host.
    static func list(
        _ files: [File], at host: String, gone: [Int] = [], continuing: [String: String]? = nil
    ) -> String {
        let pages =
            gone.map { Page(pageid: $0, ns: nil, title: nil, coordinates: nil, imageinfo: nil, missing: true) }
            + files.map { file in
                let address = file.address ?? "http://\(host)/files/\(file.id).jpg"
                return Page(
                    pageid: file.id, ns: 6, title: file.title,
                    coordinates: file.isNear ? [.init(lat: file.latitude, lon: file.longitude, globe: "earth")] : nil,
                    imageinfo: [
                        .init(
                            mime: file.mime, mediatype: "BITMAP", width: 4_000, height: 3_000,
                            thumburl: address + "?utm_source=x", url: address,
                            descriptionurl: "https://commons.wikimedia.org/wiki/\(file.id)",
                            extmetadata: [
                                "Artist": file.artist.map { .init(value: $0) },
                                "LicenseShortName": file.licence.map { .init(value: $0) },
                                "DateTimeOriginal": .init(value: "2020-06-21 12:40:07"),
                            ].compactMapValues { $0 })
                    ])
            }
        let answer = Answer(query: pages.isEmpty ? nil : .init(pages: pages), continue: continuing)
        return String(decoding: (try? JSONEncoder().encode(answer)) ?? Data(), as: UTF8.self)
    }

    private struct Answer: Encodable {
        let batchcomplete = true
        let query: Query?
        let `continue`: [String: String]?
    }

    private struct Query: Encodable { let pages: [Page] }

    private struct Page: Encodable {
        struct Point: Encodable { let lat: Double, lon: Double, globe: String }
        struct Value: Encodable { let value: String }
        struct Image: Encodable {
            let mime: String, mediatype: String, width: Int, height: Int, thumburl: String, url: String
            let descriptionurl: String, extmetadata: [String: Value]
        }

        var pageid: Int, ns: Int?, title: String?, coordinates: [Point]?, imageinfo: [Image]?
        var missing: Bool?
    }
}
