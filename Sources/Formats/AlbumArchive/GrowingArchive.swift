import Bytes
package import Contracts
package import RPC

/// An archive of an album as it is written: each picture's head and bytes, then the page and the manifest. It says what
/// to write, and writes nothing itself.
package struct GrowingArchive: Sendable {
    package private(set) var photos: [ArchivedPhoto] = []
    /// In their order too.
    package private(set) var leftOut: [LeftOutPhoto] = []
    private var zip = ZipStream()

    package init() {}

    /// Adds a photo: what comes before the bytes of its picture, which have to follow.
    package mutating func add(_ photo: Photo, _ picture: FileNotes) -> [UInt8] {
        let name = ArchivedPhoto.name(photos.count + 1, of: photo, picture)
        photos.append(ArchivedPhoto(photo, ArchivedFile(name, picture)))
        return begin(name, picture)
    }

    /// Notes a photo that can't be had.
    package mutating func leaveOut(_ photo: Photo, _ reason: String) {
        leftOut.append(LeftOutPhoto(id: photo.id, reason: reason))
    }

    /// All that follows the last picture, and what it says.
    package mutating func end(
        subject: String, pin: ArchivedPin?
    ) throws -> (manifest: AlbumManifest, bytes: [UInt8]) {
        let page = AttributionPage.html(subject: subject, pin: pin, photos: photos, leftOut: leftOut)
        let manifest = AlbumManifest(
            subject: subject, pin: pin, page: ArchivedFile(AlbumManifest.pageName, FileNotes(page)), photos: photos,
            leftOut: leftOut)
        let text = try manifest.bytes
        let bytes =
            begin(AlbumManifest.pageName, FileNotes(page)) + page
            + begin(AlbumManifest.fileName, FileNotes(text)) + text
        return (manifest, bytes + zip.end())
    }

    private mutating func begin(_ name: String, _ file: FileNotes) -> [UInt8] {
        zip.begin(name, byteCount: UInt32(clamping: file.byteCount), crc32: file.crc32)
    }
}

extension GetPictureRequest {
    /// Asks for the picture that an archive has of a photo: of an upload the file itself, unless a guest has added it.
    /// FAILED_PRECONDITION when there is none.
    package init(archiving photo: Photo) throws(RPCError) {
        let isOwn = photo.id.begins(with: "upload/") && photo.addedBy.isEmpty
        guard isOwn || !photo.largeUrl.isEmpty else {
            throw RPCError(.failedPrecondition, "it may not be shown, or its picture is not there")
        }
        self.init(photoId: photo.id, size: isOwn ? .original : .large)
    }
}

extension RPCError {
    /// Whether it is an error of one picture, without which an archive is made.
    package var leavesOutPicture: Bool { code == .failedPrecondition || code == .notFound }
}
