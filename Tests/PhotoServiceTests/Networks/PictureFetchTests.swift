import PhotoContracts
import HTTP
import TestSupport
import TestTools
import Testing

@testable import PhotoService

@Suite("P23 Faults of servers that pictures are fetched from", .timeLimit(.minutes(2)))
struct PictureFetchTests {
    /// What a server does wrong when it is asked for a picture, and what the photo says then; nothing when it comes at
    /// last.
    struct Fault: CustomTestStringConvertible {
        let testDescription: String
        /// In turn; the last one again and again.
        let answers: [HTTPResponse]
        let failure: String

        init(_ name: String, _ answers: HTTPResponse..., failure: String = "") {
            (testDescription, self.answers, self.failure) = (name, answers, failure)
        }
    }

    private static let picture = TestJPEG(width: 640, height: 480).bytes { x, y in (UInt8(x & 255), UInt8(y & 255), 9) }
    private static let good = HTTPResponse(200, body: .bytes(picture))
    private static let part = [UInt8](repeating: 0xff, count: 1_000_000)

    private struct GivenUp: Error {}

    private static let all = [
        Fault("not there", HTTPResponse(404), failure: "its network does not have it any more"),
        Fault("gone", HTTPResponse(410), failure: "its network does not have it any more"),
        Fault(
            "HTML that is called a JPEG",
            HTTPResponse(200, headers: [("Content-Type", "image/jpeg")], body: .bytes(Array("<html>no</html>".utf8))),
            failure: "it is none of JPEG"),
        Fault(
            "a JPEG that is called something else",
            HTTPResponse(200, headers: [("Content-Type", "text/html")], body: .bytes(picture))),
        Fault(
            "a JPEG without its end", HTTPResponse(200, body: .bytes(Array(picture.dropLast(picture.count / 2)))),
            failure: "the file ends too early"),
        Fault(
            "fewer bytes than announced",
            HTTPResponse(200, body: .stream(count: 5_000) { _ in throw GivenUp() }),
            failure: "it can't be fetched: the connection broke off"),
        Fault(
            "a hundred megabytes",
            HTTPResponse(200, body: .stream(count: nil) { for _ in 0..<100 { try await $0.write(part) } }),
            failure: "it can't be fetched: the answer has more than 10485760 bytes"),
        Fault(
            "a way to a server of this machine", HTTPResponse(302, headers: [("Location", "http://127.0.0.1:1/a.jpg")]),
            failure: "it can't be fetched: it answers with 302"),
        Fault(
            "a way to a name of this machine", HTTPResponse(302, headers: [("Location", "http://localhost:1/a.jpg")]),
            failure: "it can't be fetched: it answers with 302"),
        Fault("an outage that passes", HTTPResponse(500), HTTPResponse(503), good),
        Fault("too many requests for a second", HTTPResponse(429, headers: [("Retry-After", "1")]), good),
    ]

    @Test("cost that picture at most, with the reason; what passes by itself is asked again", arguments: all)
    func faults(fault: Fault) async throws {
        let turns = Tally()
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            let answer: HTTPFixture.Answer = { request in
                guard request.path.hasPrefix("/files") else {
                    let host = request.headers["host"] ?? ""
                    return HTTPResponse(200, text: CommonsFixture.list([CommonsFixture.File(id: 1)], at: host))
                }
                let turn = turns.count
                turns.add()
                return fault.answers[min(turn, fault.answers.count - 1)]
            }
            try await HTTPFixture.with(answer) { _, url in
                let arguments = [
                    "--commons-url", "\(url)/w/api.php", "--commons-files", "\(url)/files", "--contact", "a@b.example",
                    "--commons-rate", "1000",
                ]
                try await RunningPhotoService.working(in: folder, arguments: arguments) { service in
                    let request = SearchAlbumsRequest(
                        pinId: "p1", generation: 1, centre: Coordinate(latitude: 48.8584, longitude: 2.2945),
                        radiusM: 500, isLast: true)
                    _ = try await service.search.searchAlbums(request, service.peerOptions)
                    try await service.watchToEnd("pin/p1")
                    let photo = try #require(try await service.album("pin/p1").photos.first)
                    #expect(photo.state == (fault.failure.isEmpty ? .ready : .failed))
                    #expect(photo.failure.hasPrefix(fault.failure))
                    #expect(photo.thumbnailUrl.isEmpty != fault.failure.isEmpty)
                    // Those that no further request can mend are asked for once.
                    let isTriedAgain = fault.failure.hasPrefix("it can't be fetched") || fault.answers.count > 1
                    #expect((turns.count > 1) == isTriedAgain)
                }
            }
        }
    }
}
