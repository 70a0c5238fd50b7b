import Geo
import PictureCalls
import Storage

/// An uploaded file that was looked into, and whose bytes are stored.
struct UploadedFile: Sendable {
    let photo: Photo
    /// EXIF's number, 1 to 8.
    let orientation: Int
    let original: StoredPicture
}

extension PictureStore {
    /// Stores the bytes of an upload, if they are those that were announced and a picture that can be shown. A picture
    /// that does not say where it was taken was taken `elsewhere`. What the notes say precedes what the file says.
    func keep(
        _ bytes: [UInt8], of upload: PhotoUpload, elsewhere: Coordinate?, _ notes: PhotoNotes
    ) async throws -> UploadedFile {
        let (blob, facts) = try await decoders.look { seat in
            let blob = HeldBlob(bytes)
            guard blob.name == upload.name else { throw PhotoError.otherBytes }
            do throws(PictureProblem) {
                return (
                    blob, try PictureFacts(try seat.notes(of: bytes), elsewhere: notes.position ?? elsewhere)
                )
            } catch {
                // What is short for a moment, such as memory, is nothing wrong with the picture.
                guard error.isFinal else { throw error }
                throw PhotoError.unusable(error)
            }
        }
        try await put(blob)
        let credit = Credit(author: facts.author, licence: facts.licence, sourceURL: "").behind(notes.credit)
        let photo = Photo(
            id: upload.id, title: notes.title.isEmpty ? facts.title : notes.title,
            position: notes.position ?? facts.position, credit: credit, originalURL: "",
            width: UInt32(clamping: facts.width), height: UInt32(clamping: facts.height),
            takenMilliseconds: notes.takenMilliseconds ?? facts.takenMilliseconds,
            takenOffsetMinutes: notes.takenMilliseconds == nil ? facts.takenOffsetMinutes : notes.takenOffsetMinutes,
            view: facts.view,
            tags: notes.tags.isEmpty ? facts.tags : notes.tags, camera: facts.camera, lens: facts.lens)
        return UploadedFile(
            photo: photo, orientation: facts.orientation,
            original: StoredPicture(
                jpeg: StoredBytes(name: blob.name, count: blob.count), width: facts.width, height: facts.height))
    }
}

extension Credit {
    /// With the parts of another one where that has them.
    fileprivate func behind(_ other: Credit) -> Credit {
        Credit(
            author: other.author.isEmpty ? author : other.author,
            licence: other.licence.isEmpty ? licence : other.licence,
            sourceURL: other.sourceURL.isEmpty ? sourceURL : other.sourceURL)
    }
}
