package import Contracts
import Crypto
import RPC
import TestTools

/// Changes that are repeated, under the same name, until they are acknowledged.
extension SystemUnderTest {
    package var pins: PinServiceClient { PinServiceClient(client) }
    package var albums: PhotoServiceClient { PhotoServiceClient(client) }

    package func create(_ request: CreatePinRequest) async throws -> Pin {
        try await answered("CreatePin") { try await pins.createPin(request, $0) }.pin ?? Pin()
    }

    package func move(_ request: MovePinRequest) async throws -> Pin {
        try await answered("MovePin") { try await pins.movePin(request, $0) }.pin ?? Pin()
    }

    package func rename(_ request: RenamePinRequest) async throws -> Pin {
        try await answered("RenamePin") { try await pins.renamePin(request, $0) }.pin ?? Pin()
    }

    package func delete(_ request: DeletePinRequest) async throws {
        _ = try await answered("DeletePin") { try await pins.deletePin(request, $0) }
    }

    package func remove(_ request: RemovePhotosRequest) async throws {
        _ = try await answered("RemovePhotos") { try await albums.removePhotos(request, $0) }
    }

    package func restore(_ request: RestorePhotosRequest) async throws {
        _ = try await answered("RestorePhotos") { try await albums.restorePhotos(request, $0) }
    }

    package func newCollection(_ request: NewCollectionRequest) async throws -> Album {
        try await answered("NewCollection") { try await albums.newCollection(request, $0) }.album ?? Album()
    }

    /// Uploads a picture into a pin's album, as a client does that goes on until it has the photo.
    package func upload(_ bytes: [UInt8], pin: String, title: String, tags: [String] = []) async throws -> Photo {
        let uploads = UploadServiceClient(client)
        let start = StartUploadRequest(
            sha256: Hex.text(SHA256.digest(bytes)), byteCount: UInt64(bytes.count), pinId: pin)
        let begun = try await answered("StartUpload") { try await uploads.startUpload(start, $0) }
        if let photo = begun.photo { return photo }
        var sent = Int(begun.receivedByteCount)
        while sent < bytes.count {
            let data = Array(bytes[sent..<min(sent + 1 << 20, bytes.count)])
            let part = AddUploadPartRequest(uploadId: begun.uploadId, offset: UInt64(sent), data: data)
            let answer = try await answered("AddUploadPart") { try await uploads.addUploadPart(part, $0) }
            sent = Int(answer.receivedByteCount)
        }
        let finish = FinishUploadRequest(uploadId: begun.uploadId, record: PhotoRecord(title: title, tags: tags))
        return try await answered("FinishUpload") { try await uploads.finishUpload(finish, $0) }.photo ?? Photo()
    }

    /// Lets the photo service look through its folder.
    package func scan() async throws {
        try await answered("ScanPictures") { options in
            for try await _ in albums.scanPictures(ScanPicturesRequest(), options) {}
        }
    }
}
