import PhotoContracts
import Geo
import RPC
import Storage
import Stores
import TestSupport
import TestTools
import Testing
import Wire

@testable import PhotoService

@Suite("P25 What is known of an uploaded photo besides its file", .timeLimit(.minutes(2)))
struct UploadRecordTests {
    private static let record = PhotoRecord(
        title: "Market", author: "Bea", licence: "CC BY 4.0", sourceUrl: "https://commons.example/7",
        takenTime: TimestampMessage(unixMilliseconds: 1_000_000_000_123),
        position: BaseContracts.Coordinate(latitude: 61, longitude: 26), copyOf: "commons/7",
        tags: ["square", "winter"],
        takenOffsetMinutes: 540)

    private func working(_ body: (RunningPhotoService) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try PictureFiles(folder).add("a.jpg", 62)
            try await RunningPhotoService.working(in: folder) { try await body($0) }
        }
    }

    @Test("precedes what the file says, is kept, and what is not set is as the file says it")
    func kept() async throws {
        try await working { service in
            let whole = try await service.upload(UploadTests.picture(), record: Self.record)
            let stored = try await service.photos.getPhoto(GetPhotoRequest(id: whole.id), service.options).photo
            let photo = try #require(stored)
            #expect(photo.title == "Market" && photo.author == "Bea" && photo.licence == "CC BY 4.0")
            #expect(photo.sourceUrl == "https://commons.example/7" && photo.tags == ["square", "winter"])
            #expect(photo.takenTime?.unixMilliseconds == 1_000_000_000_123 && photo.takenOffsetMinutes == 540)
            #expect(photo.position == BaseContracts.Coordinate(latitude: 61, longitude: 26))
            let part = try await service.upload(UploadTests.picture(shade: 1), record: PhotoRecord(title: "Snow"))
            #expect(part.title == "Snow" && part.author == "Ann" && part.position?.latitude == 60)
            // It says where a picture was taken that does not say it itself.
            let unplaced = try await service.upload(
                UploadTests.picture(isPlaced: false), record: PhotoRecord(position: Self.record.position))
            #expect(unplaced.position == Self.record.position)
        }
    }

    @Test("is refused by the field's name; the upload stays, and is finished with a better one")
    func refused() async throws {
        func changed(_ change: (inout PhotoRecord) -> Void) -> PhotoRecord {
            var record = Self.record
            change(&record)
            return record
        }
        try await working { service in
            for (record, field) in [
                (changed { $0.title = String(repeating: "x", count: 2_201) }, "record.title"),
                (changed { $0.author = "two\nlines" }, "record.author"),
                (changed { $0.licence = String(repeating: "x", count: 201) }, "record.licence"),
                (changed { $0.sourceUrl = "javascript:alert(1)" }, "record.source_url"),
                (changed { $0.position = BaseContracts.Coordinate(latitude: 91, longitude: 0) }, "record.position"),
                (changed { $0.tags = ["a", "b\u{7}"] }, "record.tags[1]"),
                (changed { $0.copyOf = "Nonsense" }, "record.copy_of"),
                (changed { $0.author = "" }, "record.author: it is empty; a photo of commons"),
                (changed { $0.licence = "" }, "record.licence: it is empty"),
                (changed { $0.sourceUrl = "" }, "record.source_url: it is empty"),
            ] {
                let error = try await errorOf { try await service.upload(UploadTests.picture(), record: record) }
                #expect(error?.code == .invalidArgument && error?.message.contains(field) == true, "\(field)")
            }
            #expect(try await service.upload(UploadTests.picture(), record: Self.record).author == "Bea")
        }
    }

    @Test("an uploaded file is given out byte for byte, to its account alone, and no other photo has one")
    func original() async throws {
        try await working { service in
            _ = try await service.scan()
            let bytes = UploadTests.picture(remarks: 300_000)
            let photo = try await service.upload(bytes)
            let given = try await service.picture(photo.id, .original)
            #expect(given.bytes == bytes && given.info.sha256 == BlobName(of: bytes).text)
            #expect(given.info.mediaType.isEmpty && given.info.width == 640)
            let request = GetPictureRequest(photoId: photo.id, size: .original)
            let other = try await errorOf {
                for try await _ in service.photos.getPicture(request, service.options(of: "bob")) {}
            }
            #expect(other?.code == .notFound)
            let folder = try await errorOf { try await service.picture("folder/a.jpg", .original) }
            #expect(folder?.code == .failedPrecondition && folder?.message.contains("not uploaded") == true)
        }
    }

    @Test("a photo without what its network demands gives no picture, whoever stored it")
    func uncredited() async throws {
        try await working { service in
            let id = try #require(PhotoID("commons/9"))
            let photo = Photo(
                id: id, title: "", position: try .init(latitude: 1, longitude: 2),
                credit: Credit(author: "Ann", licence: "", sourceURL: "https://commons.example/9"),
                originalURL: "https://commons.example/9.jpg", width: 0, height: 0, takenMilliseconds: nil)
            try await service.store.write { transaction throws(SQLError) in try transaction.putPhoto(photo) }
            for size in [BaseContracts.PictureSize.thumbnail, .large] {
                let error = try await errorOf { try await service.picture(id.text, size) }
                #expect(error?.code == .failedPrecondition && error?.message.contains("demands") == true)
            }
        }
    }
}
