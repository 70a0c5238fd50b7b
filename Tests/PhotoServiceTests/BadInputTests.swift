import PhotoContracts
import RPC
import TestSupport
import Testing
import Wire

@testable import PhotoService

@Suite("P26 Bad input is refused with the field's name and what is allowed")
struct BadInputTests {
    /// A request, the field at fault, and words that its sentence must hold.
    struct Case<Request: Sendable>: Sendable {
        let request: Request
        let field: String
        let words: String
    }

    private static func bad(
        _ field: String, _ words: String, id: String = "mine/1", _ change: (inout PhotoContracts.Photo) -> Void
    ) -> Case<PutPhotoRequest> {
        Case(request: PutPhotoRequest(photo: photo(id, 1, 2, change)), field: "photo.\(field)", words: words)
    }

    static let photos = [
        Case(request: PutPhotoRequest(), field: "photo", words: "a photo is needed"),
        bad("distance_m", "only answers") { $0.distanceM = 0 },
        bad("id", "\"\"") { $0.id = "" },
        bad("id", "<network>/<id there>") { $0.id = "no slash" },
        bad("id", "<network>/<id there>") { $0.id = "UPPER/1" },
        bad("id", "1,024 bytes") { $0.id = "mine/" + String(repeating: "x", count: 100_000) },
        bad("position", "a latitude and a longitude") { $0.position = nil },
        bad("position.latitude", "90.1") { $0.position?.latitude = 90.1 },
        bad("position.latitude", "nan") { $0.position?.latitude = .nan },
        bad("position.longitude", "-180.1") { $0.position?.longitude = -180.1 },
        bad("position.longitude", "inf") { $0.position?.longitude = .infinity },
        bad("title", "2201 characters") { $0.title = String(repeating: "x", count: 2_201) },
        bad("title", "control character") { $0.title = "a\0b" },
        bad("author", "201 characters") { $0.author = String(repeating: "x", count: 201) },
        bad("author", "one line") { $0.author = "a\nb" },
        bad("licence", "201 characters") { $0.licence = String(repeating: "x", count: 201) },
        bad("licence", "control character") { $0.licence = "\u{1b}[1m." },
        bad("source_url", "https or http") { $0.sourceUrl = "ftp://h/" },
        bad("source_url", "a host") { $0.sourceUrl = "http:///path" },
        bad("original_url", "https") { $0.originalUrl = "http://h/a.jpg" },
        bad("original_url", "2049 characters") { $0.originalUrl = "https://h/" + String(repeating: "x", count: 2_039) },
        bad("tags", "17 tags") { $0.tags = (0..<17).map { "tag\($0)" } },
        bad("tags[1]", "65 characters") { $0.tags = ["a", String(repeating: "x", count: 65)] },
        bad("tags[0]", "control character") { $0.tags = ["a\nb"] },
        bad("tags[1]", "a word is") { $0.tags = ["a", " \t"] },
        bad("width", "100001") { $0.width = 100_001 },
        bad("height", "0 to 100,000") { $0.height = .max },
        bad("taken_time", "1 to 9999") { $0.takenTime = TimestampMessage(unixSeconds: 253_402_300_800) },
        bad("taken_time", "-1 nanoseconds") { $0.takenTime = TimestampMessage(unixSeconds: 0, nanoseconds: -1) },
        bad("taken_offset_minutes", "-900 to 900") { ($0.takenTime, $0.takenOffsetMinutes) = (.init(seconds: 5), 901) },
        bad("taken_offset_minutes", "without a taken_time") { $0.takenOffsetMinutes = 60 },
        bad("author", "flickr", id: "flickr/1") { $0.sourceUrl = "https://h/" },
        bad("licence", "commons", id: "commons/1") { $0.author = "A" },
        bad("source_url", "commons", id: "commons/1") { ($0.author, $0.licence) = ("A", "CC0") },
        bad("source_url", "instagram", id: "instagram/1") { $0.author = "A" },
        bad("author", "foursquare", id: "foursquare/1") { $0.author = " " },
    ]

    @Test("when a photo is put")
    func put() async throws {
        try await RunningPhotoService.with { service in
            for bad in Self.photos {
                try expectInvalid(
                    bad.field, bad.words,
                    try await errorOf { try await service.photos.putPhoto(bad.request, service.options) })
            }
            let all = try await service.photos.photosNear(PhotosNearRequest(1, 2, radius: 100_000), service.options)
            #expect(all.photos.isEmpty, "nothing was stored")
        }
    }

    static let questions = [
        Case(request: PhotosNearRequest(), field: "centre", words: "a latitude and a longitude"),
        Case(request: PhotosNearRequest(-90.1, 0), field: "centre.latitude", words: "-90.1"),
        Case(request: PhotosNearRequest(0, .nan), field: "centre.longitude", words: "nan"),
        Case(request: PhotosNearRequest(0, 0, radius: -0.001), field: "radius_m", words: "0 to 100,000"),
        Case(request: PhotosNearRequest(0, 0, radius: 100_000.5), field: "radius_m", words: "100000.5"),
        Case(request: PhotosNearRequest(0, 0, radius: .nan), field: "radius_m", words: "nan"),
        Case(request: PhotosNearRequest(0, 0, limit: 0), field: "limit", words: "1 to 200"),
        Case(request: PhotosNearRequest(0, 0, limit: 201), field: "limit", words: "201"),
    ]

    @Test("when photos near a point are asked for")
    func question() async throws {
        try await RunningPhotoService.with { service in
            for bad in Self.questions {
                try expectInvalid(
                    bad.field, bad.words,
                    try await errorOf { try await service.photos.photosNear(bad.request, service.options) })
            }
        }
    }

    private func expectInvalid(_ field: String, _ words: String, _ error: RPCError?) throws {
        let error = try #require(error, "\(field) was taken: \(words)")
        #expect(error.code == .invalidArgument)
        let violation = try #require(error.details?.fieldViolations.first)
        #expect(violation.field == field)
        #expect(violation.description.contains(words), "\(violation.description)")
        #expect(error.message.utf8.count < 500, "what was given is not repeated at length")
    }
}
