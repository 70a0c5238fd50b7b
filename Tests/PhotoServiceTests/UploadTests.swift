import PhotoContracts
import Daemon
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PhotoService

@Suite("P26 Uploads", .timeLimit(.minutes(2)))
struct UploadTests {
    private static let pin = "0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b"
    private static let noPin = "0198a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c"

    /// A picture that was taken at 60, 25, with so many bytes of remarks.
    static func picture(remarks: Int = 0, shade: UInt8 = 128, isPlaced: Bool = true) -> [UInt8] {
        let jpeg = TestJPEG(width: 640, height: 480).bytes { x, y in (UInt8(x & 255), UInt8(y & 255), shade) }
        var exif = TestExif()
        exif.setPosition([(60, 1), (0, 1), (0, 1)], "N", [(25, 1), (0, 1), (0, 1)], "E")
        exif.picture = [exif.text(0x013b, "Ann")]
        var bytes = isPlaced ? exif.jpeg(jpeg) : jpeg
        // A comment of JPEG has at most 65,533 bytes.
        for _ in 0..<remarks / 65_000 {
            bytes.insert(contentsOf: [0xff, 0xfe, 0xfd, 0xea] + [UInt8](repeating: 32, count: 65_000), at: 2)
        }
        return bytes
    }

    private func working(_ body: (RunningPhotoService) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try PictureFiles(folder).add("a.jpg", 62)
            try await RunningPhotoService.working(in: folder) { try await body($0) }
        }
    }

    @Test("one comes into the album of its pin with its thumbnail, and is seen by its account alone")
    func ownOnly() async throws {
        try await working { service in
            try await service.addPin(Self.pin, places: [AlbumSearchTests.place("catalog/a")])
            try await service.watchToEnd("pin/\(Self.pin)")
            let photo = try await service.upload(Self.picture(), pin: Self.pin)
            #expect(photo.author == "Ann" && photo.width == 640 && photo.position?.latitude == 60)
            try await service.watch("pin/\(Self.pin)") { $0.album?.summary?.readyCount == 1 }
            let thumbnail = try await service.picture(photo.id, .thumbnail).info
            #expect(thumbnail.width == 320 && thumbnail.own, "no cache keeps it")
            #expect(try await service.picture(photo.id, .large).info.width == 640)
            let near = PhotosNearRequest(60, 25)
            #expect(try await service.photos.photosNear(near, service.options).photos.map(\.id) == [photo.id])
            // Another pin of the account has it too.
            try await service.addPin("p2")
            try await service.watchToEnd("pin/p2")
            #expect(try await service.album("pin/p2").photos.map(\.id) == [photo.id])
            let bob = service.options(of: "bob")
            #expect(try await service.photos.photosNear(near, bob).photos.isEmpty)
            #expect(try await service.album("place/catalog/a").photos.isEmpty)
            let change = ChangeFavouriteRequest(photoId: photo.id)
            for error in [
                try await errorOf { try await service.photos.getPhoto(GetPhotoRequest(id: photo.id), bob) },
                try await errorOf {
                    for try await _ in service.photos.getPicture(GetPictureRequest(photoId: photo.id), bob) {}
                },
                try await errorOf { try await service.photos.changeFavourite(change, bob) },
                try await errorOf { try await service.uploads.deletePhoto(DeletePhotoRequest(id: photo.id), bob) },
            ] {
                #expect(error?.code == .notFound)
            }
        }
    }

    @Test("are listed for their account, page by page")
    func listed() async throws {
        try await working { service in
            var ids: [String] = []
            for shade in [UInt8(10), 20, 30] {
                ids.append(try await service.upload(Self.picture(shade: shade), pin: "").id)
            }
            var request = ListUploadsRequest(pageSize: 2)
            let first = try await service.uploads.listUploads(request, service.options)
            request.pageToken = first.nextPageToken
            let second = try await service.uploads.listUploads(request, service.options)
            #expect(first.photos.count == 2 && second.nextPageToken.isEmpty)
            #expect((first.photos + second.photos).map(\.id) == ids.sorted())
            let bobs = try await service.uploads.listUploads(ListUploadsRequest(), service.options(of: "bob"))
            #expect(bobs.photos.isEmpty)
            for (size, token, field) in [(UInt32(251), "", "page_size"), (1, "x y", "page_token")] {
                let wrong = ListUploadsRequest(pageSize: size, pageToken: token)
                let error = try await errorOf { try await service.uploads.listUploads(wrong, service.options) }
                #expect(error?.details?.fieldViolations.first?.field == field)
            }
        }
    }

    @Test("one that was broken off goes on where it was, after a restart too; a part is stored once")
    func resumed() async throws {
        let bytes = Self.picture(remarks: 2_500_000)
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            let start = StartUploadRequest(sha256: sha256(bytes), byteCount: UInt64(bytes.count))
            let parts = stride(from: 0, to: bytes.count, by: 1 << 20).map { first in
                (UInt64(first), Array(bytes[first..<min(first + 1 << 20, bytes.count)]))
            }
            try await RunningPhotoService.working(in: folder) { service in
                let begun = try await service.uploads.startUpload(start, service.options)
                for (offset, data) in [parts[0], parts[2], parts[0]] {
                    let part = AddUploadPartRequest(uploadId: begun.uploadId, offset: offset, data: data)
                    let answer = try await service.uploads.addUploadPart(part, service.options)
                    #expect(answer.receivedByteCount == 1 << 20)
                }
                let finish = FinishUploadRequest(uploadId: begun.uploadId)
                let error = try await errorOf { try await service.uploads.finishUpload(finish, service.options) }
                #expect(error?.code == .failedPrecondition)
            }
            try await RunningPhotoService.working(in: folder) { service in
                let begun = try await service.uploads.startUpload(start, service.options)
                #expect(begun.receivedByteCount == 1 << 20 && begun.photo == nil)
                for (offset, data) in parts.dropFirst() {
                    let part = AddUploadPartRequest(uploadId: begun.uploadId, offset: offset, data: data)
                    _ = try await service.uploads.addUploadPart(part, service.options)
                }
                let finish = FinishUploadRequest(uploadId: begun.uploadId)
                let first = try await service.uploads.finishUpload(finish, service.options)
                // The answer may have been lost, or the file be chosen again.
                let second = try await service.uploads.finishUpload(finish, service.options)
                let again = try await service.uploads.startUpload(start, service.options)
                #expect(first.photo?.id == begun.uploadId)
                #expect([second.photo?.id, again.photo?.id] == [begun.uploadId, begun.uploadId])
                let left = try await service.store.read { transaction throws(SQLError) in
                    try transaction.first("SELECT count(*) FROM upload_parts") { row throws(SQLError) in
                        try row.integer(0)
                    }
                }
                #expect(left == 0)
            }
        }
    }

    @Test("a file of more than ten mebibytes is shown as any other")
    func large() async throws {
        try await working { service in
            let photo = try await service.upload(Self.picture(remarks: 11 << 20))
            #expect(try await service.picture(photo.id, .large).info.width == 640)
        }
    }

    @Test("a new collection swaps the other photos, and leaves what the account has added")
    func kept() async throws {
        try await TemporaryFolder.with { folder in
            let files = try PictureFiles(folder)
            for number in 1...3 { try files.add("\(number).jpg", 60 + Double(number) / 10_000) }
            try await RunningPhotoService.working(in: folder) { service in
                _ = try await service.scan()
                try await service.addPin(Self.pin)
                try await service.watchToEnd("pin/\(Self.pin)")
                let own = try await service.upload(Self.picture(), pin: Self.pin).id
                try await service.watch("pin/\(Self.pin)") { $0.album?.summary?.readyCount == 4 }
                let request = NewCollectionRequest(subject: "pin/\(Self.pin)", size: 1)
                _ = try await service.photos.newCollection(request, service.options)
                try await service.watch("pin/\(Self.pin)") { $0.album?.collection == 2 }
                let photos = try await service.album("pin/\(Self.pin)").photos.map(\.id)
                #expect(photos == [own, "folder/1.jpg"])
            }
        }
    }

    @Test("one without a position gets its pin's; without a pin it is refused")
    func unplaced() async throws {
        try await working { service in
            let bytes = Self.picture(isPlaced: false)
            let error = try await errorOf { try await service.upload(bytes) }
            #expect(error?.code == .failedPrecondition && error?.message.contains("name a pin") == true)
            try await service.addPin(Self.pin)
            let photo = try await service.upload(bytes, pin: Self.pin)
            #expect(photo.position == Coordinate(latitude: 60, longitude: 25))
        }
    }

    @Test("what is deleted is gone from albums, favourites and the store; it can be uploaded again")
    func deleted() async throws {
        try await working { service in
            try await service.addPin(Self.pin)
            let photo = try await service.upload(Self.picture(), pin: Self.pin)
            try await service.watch("pin/\(Self.pin)") { $0.album?.summary?.readyCount == 1 }
            _ = try await service.change(photo.id, .add)
            let request = DeletePhotoRequest(id: photo.id)
            _ = try await service.uploads.deletePhoto(request, service.options)
            #expect(try await service.album("pin/\(Self.pin)").photos.isEmpty)
            #expect(try await service.favourites().isEmpty)
            let names = try await service.store.read { transaction throws(SQLError) in
                try transaction.rows("SELECT blob FROM pictures WHERE photo_id = ?1", photo.id) {
                    row throws(SQLError) in try row.blobName(0)
                }
            }
            #expect(names.isEmpty)
            let again = try await errorOf { try await service.uploads.deletePhoto(request, service.options) }
            #expect(again?.code == .notFound)
            #expect(try await service.upload(Self.picture(), pin: Self.pin).id == photo.id)
        }
    }

    @Test(
        "an account uploads as much as the setting lets it, reads how much that is, and has room again when it deletes")
    func quota() async throws {
        try await RunningPhotoService.with { service in
            let photo = try await service.upload(Self.picture())
            let stored = try await service.uploads.listUploads(ListUploadsRequest(), service.options)
            let bytes = Int64(Self.picture().count)
            #expect(stored.storedByteCount == UInt64(bytes) && stored.quotaByteCount == 0)
            let new = try #require(BlobName(sha256([7])))
            let upload = try #require(PhotoUpload(account: "ann", name: new, byteCount: 10, pin: ""))
            for (quota, isTaken) in [(0, true), (bytes + 9, false), (bytes + 10, true)] as [(Int64, Bool)] {
                let begun = try await service.store.write { transaction throws(SQLError) in
                    let begun = try transaction.beginUpload(upload, quota: quota, at: 0)
                    try transaction.dropUpload(upload.id.text)
                    return begun
                }
                switch begun {
                case .success: #expect(isTaken)
                case .failure(let error):
                    #expect(!isTaken && error == .overQuota(bytes: bytes, quota: quota))
                    #expect(error.rpcError.message.contains("have \(bytes) of the \(quota) bytes"))
                }
            }
            _ = try await service.uploads.deletePhoto(DeletePhotoRequest(id: photo.id), service.options)
            let none = try await service.uploads.listUploads(ListUploadsRequest(), service.options)
            #expect(none.storedByteCount == 0)
        }
    }

    @Test("what makes no sense is refused, and costs nothing")
    func refused() async throws {
        try await RunningPhotoService.with { service in
            let good = sha256([1])
            for (request, field) in [
                (StartUploadRequest(sha256: "xyz", byteCount: 1), "sha256"),
                (StartUploadRequest(sha256: good, byteCount: 0), "byte_count"),
                (StartUploadRequest(sha256: good, byteCount: 64 << 20 + 1), "byte_count"),
                (StartUploadRequest(sha256: good, byteCount: 1, pinId: "a/b"), "pin_id"),
            ] {
                let error = try await errorOf { try await service.uploads.startUpload(request, service.options) }
                #expect(error?.code == .invalidArgument && error?.message.contains(field) == true, "\(field)")
            }
            let pin = StartUploadRequest(sha256: good, byteCount: 1, pinId: Self.noPin)
            let unknown = try await errorOf { try await service.uploads.startUpload(pin, service.options) }
            #expect(unknown?.code == .notFound)
            // Other bytes than were announced, and bytes that are no picture.
            for (digest, bytes) in [(good, [UInt8(2)]), (good, [UInt8(1)])] {
                let error = try await errorOf { try await service.upload(bytes, sha256: digest) }
                #expect(error?.code == .failedPrecondition)
            }
            for id in ["upload/none", "folder/a", String(repeating: "x", count: 5_000)] {
                let part = AddUploadPartRequest(uploadId: id, data: [1])
                let error = try await errorOf { try await service.uploads.addUploadPart(part, service.options) }
                #expect(error?.code == .notFound)
            }
            let begun = try await service.uploads.startUpload(
                StartUploadRequest(sha256: good, byteCount: 1), service.options)
            let part = AddUploadPartRequest(uploadId: begun.uploadId, data: [1])
            let other = try await errorOf {
                try await service.uploads.addUploadPart(part, service.options(of: "bob"))
            }
            #expect(other?.code == .notFound)
            let much = AddUploadPartRequest(uploadId: begun.uploadId, data: [UInt8](repeating: 1, count: 1 << 20 + 1))
            let tooMuch = try await errorOf { try await service.uploads.addUploadPart(much, service.options) }
            #expect(tooMuch?.message.contains("data") == true)
        }
    }

    @Test("an account can't fill the store with what it never finishes, and what it leaves goes after a day")
    func unfinished() async throws {
        let clock = ManualClock()
        try await TemporaryFolder.with { folder in
            try await RunningPhotoService.with(folder: folder, clock: clock.clock) { service in
                func start(_ number: UInt8, of account: String) async throws -> RPCError? {
                    let request = StartUploadRequest(sha256: sha256([number]), byteCount: 64 << 20)
                    return try await errorOf {
                        try await service.uploads.startUpload(request, service.options(of: account))
                    }
                }
                for number in 1...4 { #expect(try await start(UInt8(number), of: "ann") == nil) }
                #expect(try await start(5, of: "ann")?.code == .resourceExhausted)
                #expect(try await start(4, of: "ann") == nil)
                #expect(try await start(5, of: "bob") == nil)
                let time = service.store.clock.unixMilliseconds + 1
                let dropped = try await service.store.write { transaction throws(SQLError) in
                    try transaction.dropUploads(before: time, limit: 100)
                }
                #expect(dropped == 5)
                #expect(try await start(5, of: "ann") == nil)
            }
        }
    }
}

func sha256(_ bytes: [UInt8]) -> String { BlobName(of: bytes).text }

extension RunningPhotoService {
    /// Uploads a file of "ann" in parts, and gives the photo.
    func upload(
        _ bytes: [UInt8], pin: String = "", sha256 digest: String? = nil, record: PhotoRecord? = nil
    ) async throws -> PhotoContracts.Photo {
        let begun = try await uploads.startUpload(
            StartUploadRequest(sha256: digest ?? sha256(bytes), byteCount: UInt64(bytes.count), pinId: pin), options)
        for first in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let part = AddUploadPartRequest(
                uploadId: begun.uploadId, offset: UInt64(first),
                data: Array(bytes[first..<min(first + 1 << 20, bytes.count)]))
            _ = try await uploads.addUploadPart(part, options)
        }
        let finish = FinishUploadRequest(uploadId: begun.uploadId, record: record)
        return try #require(try await uploads.finishUpload(finish, options).photo)
    }
}
