import PhotoContracts
import Daemon
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import PhotoService

@Suite("P49 photos that an account adds to the album of another one", .timeLimit(.minutes(2)))
struct GuestPhotoTests {
    private func working(_ body: (RunningPhotoService) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            _ = try PictureFiles(folder)
            try await RunningPhotoService.working(in: folder) { service in
                try await service.addPin()
                try await service.watchToEnd("pin/p1")
                try await body(service)
            }
        }
    }

    @Test("are seen there by its account, with who added them, and are the guest's own; a pin says where they are")
    func added() async throws {
        try await working { service in
            // It does not say where it was taken.
            let id = try await service.begin(UploadTests.picture(shade: 1, isPlaced: false), of: "ben")
            let photo = try await service.addAsGuest(id)
            #expect(photo.id == id && photo.addedBy == "" && photo.adder == "")
            #expect(try await service.addAsGuest(id).id == id, "once more is the same")
            let seen = try await service.album("pin/p1").photos
            #expect(seen.map(\.id) == [id] && seen[0].addedBy == "ben tester" && seen[0].adder == "")
            #expect(seen[0].position == photo.position)
            let composed = try await service.photos.getAlbum(
                GetAlbumRequest(subject: "pin/p1"), service.peerOptions
            ).photos
            #expect(composed.map(\.adder) == ["ben"], "services alone learn whose it is")
            try await service.watch("pin/p1") { $0.album?.summary?.readyCount == 1 }
            #expect(try await service.picture(id, .thumbnail).info.own)
            let zoe = try await errorOf {
                try await service.photos.getPhoto(GetPhotoRequest(id: id), service.options(of: "zoe"))
            }
            #expect(zoe?.code == .notFound)
            let near = PhotosNearRequest(60, 25)
            #expect(try await service.photos.photosNear(near, service.options).photos.isEmpty, "it is not hers")
            let bens = try await service.uploads.listUploads(ListUploadsRequest(), service.options(of: "ben"))
            #expect(bens.photos.map(\.id) == [id])
        }
    }

    @Test("give the file as it was uploaded, with what the camera wrote, to the guest alone")
    func original() async throws {
        try await working { service in
            let bytes = UploadTests.picture(shade: 1)
            let id = try await service.addAsGuest(try await service.begin(bytes, of: "ben")).id
            try await service.watch("pin/p1") { $0.album?.summary?.readyCount == 1 }
            #expect(try await service.picture(id, .large).info.width == 640)
            let hers = try await errorOf { try await service.picture(id, .original) }
            #expect(hers?.code == .failedPrecondition && hers?.message.contains("not uploaded") == true)
            let request = GetPictureRequest(photoId: id, size: .original)
            var given: [UInt8] = []
            for try await part in service.photos.getPicture(request, service.options(of: "ben")) { given += part.data }
            #expect(given == bytes)
        }
    }

    @Test("are removed from there by its account, and deleted by the guest; a new collection keeps them")
    func removed() async throws {
        try await working { service in
            let (ben, subject) = (service.options(of: "ben"), "pin/p1")
            let first = try await service.addAsGuest(try await service.begin(UploadTests.picture(shade: 1), of: "ben"))
            let second = try await service.addAsGuest(try await service.begin(UploadTests.picture(shade: 2), of: "ben"))
            try await service.watch(subject) { $0.album?.summary?.readyCount == 2 }
            _ = try await service.photos.newCollection(NewCollectionRequest(subject: subject), service.options)
            try await service.watchToEnd(subject)
            #expect(Set(try await service.album(subject).photos.map(\.id)) == [first.id, second.id])
            let remove = RemovePhotosRequest(subject: subject, photoIds: [first.id])
            let notHis = try await errorOf { try await service.photos.removePhotos(remove, ben) }
            #expect(notHis?.code == .notFound)
            _ = try await service.photos.removePhotos(remove, service.options)
            _ = try await service.addAsGuest(first.id)
            #expect(try await service.album(subject).photos.map(\.id) == [second.id], "what she removed stays removed")
            let delete = DeletePhotoRequest(id: second.id)
            let notHers = try await errorOf { try await service.uploads.deletePhoto(delete, service.options) }
            #expect(notHers?.code == .notFound)
            _ = try await service.uploads.deletePhoto(delete, ben)
            #expect(try await service.album(subject).photos.isEmpty)
        }
    }

    @Test("go with the guest's account, and stay the guest's own when the pin goes")
    func deleted() async throws {
        try await working { service in
            let first = try await service.addAsGuest(try await service.begin(UploadTests.picture(shade: 1), of: "ben"))
            _ = try await service.search.forgetAccount(ForgetAccountRequest(), service.peerOptions(of: "ben"))
            #expect(try await service.album("pin/p1").photos.isEmpty)
            let zoes = try await service.begin(UploadTests.picture(shade: 2), of: "zoe")
            _ = try await service.addAsGuest(zoes, as: "zoe")
            #expect(try await service.album("pin/p1").photos.map(\.id) == [zoes] && zoes != first.id)
            _ = try await service.search.forgetPin(ForgetPinRequest(pinId: "p1"), service.peerOptions)
            let zoe = service.options(of: "zoe")
            #expect(try await service.photos.getPhoto(GetPhotoRequest(id: zoes), zoe).photo?.id == zoes)
            let gone = try await errorOf {
                try await service.photos.getPhoto(GetPhotoRequest(id: zoes), service.options)
            }
            #expect(gone?.code == .notFound)
        }
    }

    @Test("are refused when they are another's, when the pin is not the owner's, and by any account that asks itself")
    func refused() async throws {
        try await working { service in
            let own = try await service.upload(UploadTests.picture(shade: 1))
            for upload in ["none", own.id, "upload/00000000000000000000000000000000"] {
                #expect(try await errorOf { try await service.addAsGuest(upload) }?.code == .notFound, "\(upload)")
            }
            let bens = try await service.begin(UploadTests.picture(shade: 2), of: "ben")
            #expect(try await errorOf { try await service.addAsGuest(bens, owner: "zoe") }?.code == .notFound)
            #expect(try await errorOf { try await service.addAsGuest(bens, pin: "p9") }?.code == .notFound)
            let request = AddGuestPhotoRequest(uploadId: bens, pinId: "p1", owner: "ann", addedBy: "Ben")
            let error = try await errorOf {
                try await service.guests.addGuestPhoto(request, service.options(of: "ben"))
            }
            #expect(error?.code == .permissionDenied)
            // A guest's photo in one's own album can't be passed on as one's own.
            _ = try await service.addAsGuest(bens)
            try await service.addPin("p2")
            #expect(try await errorOf { try await service.addAsGuest(bens, as: "ann", pin: "p2") }?.code == .notFound)
        }
    }
}

extension RunningPhotoService {
    /// Uploads all bytes of a file for an account, and gives the upload's id.
    fileprivate func begin(_ bytes: [UInt8], of account: String) async throws -> String {
        let request = StartUploadRequest(sha256: sha256(bytes), byteCount: UInt64(bytes.count))
        let begun = try await uploads.startUpload(request, options(of: account))
        let part = AddUploadPartRequest(uploadId: begun.uploadId, data: bytes)
        _ = try await uploads.addUploadPart(part, options(of: account))
        return begun.uploadId
    }

    @discardableResult
    fileprivate func addAsGuest(
        _ upload: String, as guest: String = "ben", pin: String = "p1", owner: String = "ann"
    ) async throws -> PhotoContracts.Photo {
        let request = AddGuestPhotoRequest(uploadId: upload, pinId: pin, owner: owner, addedBy: "\(guest) tester")
        return try #require(try await guests.addGuestPhoto(request, peerOptions(of: guest)).photo)
    }
}
