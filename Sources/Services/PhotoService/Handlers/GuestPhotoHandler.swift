import PhotoContracts
import EventLoops
import RPC
import Storage
import Stores

/// Adds photos to albums that their accounts share with others. The gateway has looked whether the caller may.
struct GuestPhotoHandler: GuestPhotoServiceHandler {
    let uploads: UploadHandler

    func addGuestPhoto(_ request: AddGuestPhotoRequest, _ context: CallContext) async throws -> AddGuestPhotoResponse {
        let (id, account, owner) = (request.uploadId, try context.account, request.owner)
        let (store, pictures) = (uploads.store, uploads.pictures)
        let subject = AlbumSubject.pin(try PinSearch.pin(request.pinId))
        let found = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.album(subject)
        }
        guard let found, found.account == owner else { throw PhotoError.noAlbum(subject) }
        let photo = try await pictures.finishing.run {
            try await uploads.finish(id, of: account, PhotoNotes(), elsewhere: found.centre, context)
        }
        // One that another guest has added to an album of this account is not its own to pass on.
        guard photo.owner == account else { throw PhotoError.noUpload(id) }
        try await store.write(deadline: context.storageDeadline) {
            transaction throws(SQLError) -> Result<Void, PhotoError> in
            guard let album = try transaction.album(subject), album.account == owner else {
                return .failure(.noAlbum(subject))
            }
            try transaction.addFromGuest(photo, to: album, as: request.addedBy)
            return .success(())
        }.get()
        return AddGuestPhotoResponse(photo: PhotoContracts.Photo(photo, uploads.links))
    }
}
