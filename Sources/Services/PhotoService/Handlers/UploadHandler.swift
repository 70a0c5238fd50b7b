import PhotoContracts
import Daemon
import EventLoops
import FieldRules
import Geo
import RPC
import Refusals
import Requests
import Storage
import Stores

/// Answers calls about photos that people upload.
struct UploadHandler: UploadServiceHandler {
    let store: PhotoStore
    let pictures: PictureStore
    let links: PictureLinks
    /// The most bytes that one account may upload; 0 for any.
    var quota: Int64 = 0

    func startUpload(_ request: StartUploadRequest, _ context: CallContext) async throws -> StartUploadResponse {
        let upload = try PhotoUpload(request, account: try context.account)
        let time = store.clock.unixMilliseconds
        let begun = try await store.write(deadline: context.storageDeadline) {
            [quota]
            transaction throws(SQLError) -> Result<(upload: PhotoUpload, photo: Photo?), PhotoError> in
            if !upload.pin.isEmpty {
                let album = try transaction.album(.pin(upload.pin))
                guard album?.account == upload.account else { return .failure(.noAlbum(.pin(upload.pin))) }
            }
            if let photo = try transaction.photo(upload.id, for: upload.account) {
                try transaction.addToAlbum(of: upload.pin, photo.id, of: upload.account)
                return .success((upload, photo))
            }
            return try transaction.beginUpload(upload, quota: quota, at: time).map { ($0, nil) }
        }.get()
        return StartUploadResponse(
            uploadId: begun.upload.id.text, receivedByteCount: UInt64(clamping: begun.upload.received),
            photo: begun.photo.map { PhotoContracts.Photo($0, links) })
    }

    func addUploadPart(
        _ request: AddUploadPartRequest, _ context: CallContext
    ) async throws -> AddUploadPartResponse {
        let (id, account) = (request.uploadId, try context.account)
        let (data, offset) = (request.data, Int64(clamping: request.offset))
        let time = store.clock.unixMilliseconds
        let received = try await store.write(deadline: context.storageDeadline) {
            transaction throws(SQLError) -> Int64? in
            guard let upload = try transaction.upload(id, of: account) else { return nil }
            return try transaction.addBytes(data, at: offset, to: upload, at: time)
        }
        guard let received else { throw PhotoError.noUpload(id) }
        return AddUploadPartResponse(receivedByteCount: UInt64(clamping: received))
    }

    /// One at a time: each has a whole file in memory.
    func finishUpload(_ request: FinishUploadRequest, _ context: CallContext) async throws -> FinishUploadResponse {
        let (id, account) = (request.uploadId, try context.account)
        let notes = try PhotoNotes(request)
        let photo = try await pictures.finishing.run { try await finish(id, of: account, notes, context) }
        return FinishUploadResponse(photo: PhotoContracts.Photo(photo, links))
    }

    /// - Parameter elsewhere: where it was taken when neither the file nor its pin says so.
    func finish(
        _ id: String, of account: String, _ notes: PhotoNotes, elsewhere: Geo.Coordinate? = nil,
        _ context: CallContext
    ) async throws -> Photo {
        let found = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            let upload = try transaction.upload(id, of: account)
            let fallback = try upload.flatMap { upload throws(SQLError) in try transaction.album(.pin(upload.pin)) }
            let bytes = try upload.map { upload throws(SQLError) in
                upload.received == upload.byteCount ? try transaction.bytes(of: upload) : []
            }
            let photo = try PhotoID(id).flatMap { id throws(SQLError) in try transaction.photo(id, for: account) }
            return (upload: upload, fallback: fallback?.centre, bytes: bytes ?? [], photo: photo)
        }
        guard let upload = found.upload else {
            // It was finished before, and the answer was lost.
            if let photo = found.photo, photo.id.network == PhotoID.uploadNetwork { return photo }
            throw PhotoError.noUpload(id)
        }
        guard upload.received == upload.byteCount else {
            throw PhotoError.unfinished(received: upload.received, of: upload.byteCount)
        }
        let file: UploadedFile
        do {
            file = try await pictures.keep(found.bytes, of: upload, elsewhere: found.fallback ?? elsewhere, notes)
        } catch let error as PhotoError {
            // No further part mends it.
            try await store.write { transaction throws(SQLError) in try transaction.dropUpload(id) }
            throw error
        }
        let time = store.clock.unixMilliseconds
        return try await store.write(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.finishUpload(
                upload, file.photo, orientation: file.orientation, file.original, at: time)
            return try transaction.photo(upload.id, for: account) ?? file.photo
        }
    }

    func listUploads(_ request: ListUploadsRequest, _ context: CallContext) async throws -> ListUploadsResponse {
        let (account, size) = (try context.account, Int(request.pageSize ?? ListUploadsRequest.pageSizeDefault))
        let after = request.pageToken
        if !after.isEmpty { _ = try PhotoID(request: after, field: "page_token") }
        let (photos, stored) = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            (
                try transaction.uploads(of: account, after: after, limit: size + 1),
                try transaction.uploadedBytes(of: account)
            )
        }
        let page = photos.prefix(size)
        return ListUploadsResponse(
            photos: page.map { PhotoContracts.Photo($0, links) },
            nextPageToken: photos.count > size ? page.last?.id.text ?? "" : "",
            storedByteCount: UInt64(clamping: stored), quotaByteCount: UInt64(clamping: quota))
    }

    func deletePhoto(_ request: DeletePhotoRequest, _ context: CallContext) async throws -> DeletePhotoResponse {
        let (id, account) = (try PhotoID(request: request.id, field: "id"), try context.account)
        let isDeleted = try await store.write(deadline: context.storageDeadline) { transaction throws(SQLError) in
            id.network == PhotoID.uploadNetwork ? try transaction.deletePhoto(id, of: account) : false
        }
        guard isDeleted else { throw PhotoError.noPhoto(id) }
        return DeletePhotoResponse()
    }
}

extension PhotoUpload {
    fileprivate init(_ request: StartUploadRequest, account: String) throws(Refusal) {
        guard let name = BlobName(request.sha256.lowercased()),
            let upload = PhotoUpload(
                account: account, name: name, byteCount: Int64(clamping: request.byteCount), pin: request.pinId)
        else { throw FieldForm.sha256.rule.refusal("sha256", request.sha256) }
        self = upload
    }
}
