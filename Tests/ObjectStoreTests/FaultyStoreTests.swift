import EventLoops
import HTTP
import HTTPClient
import Storage
import Synchronization
import TLS
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Stores that fail", .timeLimit(.minutes(3)))
struct FaultyStoreTests {
    private static func place(_ address: String) -> String { "s3://waymark?endpoint=\(address)" }

    private static func error(_ status: Int, _ code: String) -> HTTPResponse {
        HTTPResponse(
            status, body: .bytes(Array("<Error><Code>\(code)</Code><Message>words</Message></Error>".utf8)))
    }

    /// What a store would say that has one blob and can everything that matters here.
    private static func answer(_ request: HTTPRequest, _ blob: HeldBlob) -> HTTPResponse {
        switch request.method {
        case "GET" where request.path == "/waymark":
            HTTPResponse(200, body: .bytes(Array("<ListBucketResult></ListBucketResult>".utf8)))
        case "GET" where request.headers["authorization"] == nil: error(403, "AccessDenied")
        case "GET": HTTPResponse(200, body: .bytes(blob.bytes))
        case "PUT": HTTPResponse(200, headers: [("ETag", "\"\(MD5.text(request.body[...]) ?? "")\"")])
        default: HTTPResponse(204)
        }
    }

    @Test("are asked again, and again: SlowDown is no refusal", arguments: [(503, "SlowDown"), (500, "InternalError")])
    func slowDown(status: Int, code: String) async throws {
        let blob = HeldBlob([1, 2, 3])
        let count = Mutex(0)
        try await HTTPFixture.with({ request in
            let isEarly = count.withLock { count in
                count += 1
                return count <= 2
            }
            return isEarly ? Self.error(status, code) : Self.answer(request, blob)
        }) { fixture, address in
            try await withS3(Self.place(address)) { blobs in
                let read = try await blobs.read(blob.name)
                #expect(read == blob.bytes)
                #expect(fixture.requests.count == 3)
            }
        }
    }

    @Test("are away when they ask for patience too often, with their own words")
    func tooSlow() async throws {
        try await HTTPFixture.with({ _ in Self.error(503, "SlowDown") }) { fixture, address in
            try await withS3(Self.place(address)) { blobs in
                let error = await #expect(throws: BlobError.self) { try await blobs.read(BlobName(of: [])) }
                #expect(
                    error?.absence == "the store at \(address) answers 503 SlowDown (words); it is asked again later")
                #expect(fixture.requests.count == 4)
            }
        }
    }

    @Test("whose clock differs say so, and by how much")
    func skewed() async throws {
        try await HTTPFixture.with({ _ in Self.error(403, "RequestTimeTooSkewed") }) { _, address in
            try await withS3(Self.place(address)) { blobs in
                let error = await #expect(throws: BlobError.self) { try await blobs.abilities() }
                #expect(
                    error?.refusal
                        == "this machine's clock is more than 15 minutes off by the clock of the store at"
                        + " \(address); set it right")
            }
        }
        let late = S3Fault(HTTPClientResponse(status: 403, headers: ["date": "Wed, 25 Nov 2026 15:00:00 GMT"]))
        let sentence = late.error(
            try S3Address("s3://waymark?endpoint=https://s3"), right: "s3:GetObject", now: 1_795_620_000
        ).refusal
        #expect(
            sentence == "this machine's clock is 20 minutes ahead by the clock of the store at https://s3; set it right"
        )
    }

    @Test("that receive other bytes than were sent do not keep them as if they were right")
    func garbled() async throws {
        let blob = HeldBlob([1, 2, 3])
        try await HTTPFixture.with({ request in
            let isBlob = request.method == "PUT" && !request.path.contains("probe")
            let wrong = HTTPResponse(200, headers: [("ETag", "\"900150983cd24fb0d6963f7d28e17f72\"")])
            return isBlob ? wrong : Self.answer(request, blob)
        }) { fixture, address in
            try await withS3(Self.place(address)) { blobs in
                let error = await #expect(throws: BlobError.self) { try await blobs.put(blob) }
                #expect(
                    error
                        == .failed(
                            "the store at \(address) received other bytes than were sent, again and again"))
                let puts = fixture.requests.filter { $0.method == "PUT" && !$0.path.contains("probe") }
                #expect(puts.count == 3)
            }
        }
    }

    @Test(
        "that give other bytes are found out, cut short or changed", arguments: [[1, 2], [1, 2, 4], []] as [[UInt8]])
    func changed(bytes: [UInt8]) async throws {
        let blob = HeldBlob([1, 2, 3])
        try await HTTPFixture.with({ _ in HTTPResponse(200, body: .bytes(bytes)) }) { _, address in
            try await withS3(Self.place(address)) { blobs in
                await #expect(throws: BlobError.damaged(blob.name)) { try await blobs.read(blob.name) }
            }
        }
    }

    @Test("that answer with no XML, or something else, are errors and no more", arguments: ["", "no", "<a/>"])
    func nonsense(text: String) async throws {
        try await HTTPFixture.with({ _ in HTTPResponse(200, body: .bytes(Array(text.utf8))) }) { _, address in
            try await withS3(Self.place(address)) { blobs in
                let error = await #expect(throws: BlobError.self) { try await blobs.list(nil) }
                #expect(error?.description.contains("can't be understood") == true)
            }
        }
    }

    @Test("that list an object twice, as while two writers store it, have it once")
    func twice() async throws {
        let hex = BlobName(of: [1]).text
        let object = """
            <Contents><Key>\(hex.prefix(2))/\(hex.dropFirst(2))</Key>
            <LastModified>2026-11-30T12:00:00.000Z</LastModified></Contents>
            """
        let list = "<ListBucketResult>\(object)\(object)</ListBucketResult>"
        try await HTTPFixture.with({ _ in HTTPResponse(200, body: .bytes(Array(list.utf8))) }) { _, address in
            try await withS3(Self.place(address)) { blobs in
                let names = try await blobs.list(nil).blobs.map(\.name)
                #expect(names == [BlobName(of: [1])])
            }
        }
    }

    @Test("that never answer are left when the caller's time is over")
    func silent() async throws {
        let listener = try RawListener()
        try await withS3(Self.place("http://127.0.0.1:\(listener.port)")) { blobs in
            let read = Task { try await blobs.read(BlobName(of: [1])) }
            let asked = try await listener.accept()
            read.cancel()
            await #expect(throws: BlobError.cancelled) { try await read.value }
            withExtendedLifetime(asked) {}
        }
    }

    @Test("that can't be reached say so, and are left alone for a while")
    func unreachable() async throws {
        let port = try ClosedPort().port
        var settings = S3Settings.ofTests
        settings.rests = .seconds(60)...(.seconds(60))
        try await withS3(Self.place("http://127.0.0.1:\(port)"), settings: settings) { blobs in
            let error = await #expect(throws: BlobError.self) { try await blobs.contains(BlobName(of: [])) }
            #expect(error?.absence?.hasPrefix("the store at http://127.0.0.1:\(port) can't be reached (") == true)
            #expect(error?.absence?.hasSuffix("; see that it runs, and correct the address") == true)
            let again = await #expect(throws: BlobError.self) { try await blobs.contains(BlobName(of: [])) }
            #expect(
                again?.absence == "the store at http://127.0.0.1:\(port) could not be reached lately; it is asked again"
                    + " soon")
        }
    }

    @Test("that send requests elsewhere name the region")
    func moved() async throws {
        try await HTTPFixture.with({ _ in
            HTTPResponse(
                301, headers: [("x-amz-bucket-region", "eu-central-1")],
                body: .bytes(Array("<Error><Code>PermanentRedirect</Code></Error>".utf8)))
        }) { _, address in
            try await withS3(Self.place(address)) { blobs in
                let error = await #expect(throws: BlobError.self) { try await blobs.list(nil) }
                #expect(
                    error?.refusal
                        == "the bucket waymark is not in the region us-east-1; put region=eu-central-1 into the address"
                )
            }
        }
    }
}
