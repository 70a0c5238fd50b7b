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
    }

    private let files: [File]
    /// Closed, it holds back what a list is asked for.
    let gate: Gate?
    private let fetches = Mutex<[Int: Int]>([:])
    private let failures: Mutex<[HTTPResponse]>

    init(_ files: [File], failures: [HTTPResponse] = [], gate: Gate? = nil) {
        self.files = files
        self.gate = gate
        self.failures = Mutex(failures)
    }

    /// How often the bytes of each file were asked for.
    var fetched: [Int: Int] { fetches.withLock { $0 } }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let parts = request.path.split(separator: "/")
        guard parts.first == "files", let id = parts.last.flatMap({ Int($0.prefix { $0 != "." }) }),
            let file = files.first(where: { $0.id == id })
        else {
            await gate?.pass()
            if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return failure }
            return HTTPResponse(200, text: Self.list(files, at: request.headers["host"] ?? ""))
        }
        let turn = fetches.withLock { fetches in
            fetches[id, default: 0] += 1
            return fetches[id, default: 1] - 1
        }
        let status = file.statuses[min(turn, file.statuses.count - 1)]
        let bytes = TestJPEG(width: 640, height: 480).bytes { x, y in
            (UInt8(x & 255), UInt8(y & 255), UInt8(truncatingIfNeeded: id * 20))
        }
        return HTTPResponse(status, body: .bytes(status == 200 ? bytes : []))
    }

    /// An answer of the API about files, whose bytes are at a host.
    static func list(_ files: [File], at host: String, continuing: [String: String]? = nil) -> String {
        let pages = files.map { file in
            let address = file.address ?? "http://\(host)/files/\(file.id).jpg"
            return Page(
                pageid: file.id, ns: 6, title: file.title,
                coordinates: [.init(lat: file.latitude, lon: file.longitude, globe: "earth")],
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
        let answer = Answer(query: files.isEmpty ? nil : .init(pages: pages), continue: continuing)
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

        let pageid: Int, ns: Int, title: String, coordinates: [Point], imageinfo: [Image]
    }
}
