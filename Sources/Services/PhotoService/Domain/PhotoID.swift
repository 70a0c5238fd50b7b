import Bytes
import FieldRules
import Networks
import PictureCalls

/// Identifies a photo: "<network>/<id at that network>".
struct PhotoID: Hashable, Sendable {
    /// The longest id at a network, in bytes of UTF-8; an id of the folder network is a path.
    static let providerLimit = 1_024

    /// The network of the folder of pictures; an id there is the path in the folder.
    static let folderNetwork = Network.folder.name
    /// The network of photos that people upload.
    static let uploadNetwork = Network.upload.name
    /// The network of libraries that accounts have at servers of Immich; an id there is that of the account's key, and
    /// that of the photo.
    static let immichNetwork = Network.immich.name

    /// The whole id.
    let text: String
    /// "flickr"
    let network: String
    /// "53012345678"; may contain further slashes.
    let providerID: String

    /// Whether its picture is shown through from where its account keeps it, and never stored.
    var isShownThrough: Bool { network == Self.immichNetwork }

    /// Nil when it is not an id: the network is lower-case letters, digits, "-" and "_" and starts with a letter; the
    /// id there is not empty and holds no control characters.
    init?(_ text: String) {
        guard FieldForm.photoID.takes(text), let (network, provider) = text.halves(at: "/") else { return nil }
        self.text = text
        self.network = String(network)
        providerID = String(provider)
    }
}

extension PhotoID: Comparable {
    /// The order of the UTF-8 bytes: the same on every machine and in every database.
    static func < (left: PhotoID, right: PhotoID) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

    static func == (left: PhotoID, right: PhotoID) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// Why the service refuses a request.
enum PhotoError: Error, Equatable {
    /// No photo has that id.
    case noPhoto(PhotoID)
    /// The account has no upload of that name.
    case noUpload(String)
    /// Not all bytes of the upload are stored.
    case unfinished(received: Int64, of: Int64)
    /// The stored bytes are not those that were announced; they are dropped.
    case otherBytes
    /// The account has as many bytes in unfinished uploads as it may have.
    case tooManyUploads(bytes: Int64)
    /// The account has uploaded as much as it may.
    case overQuota(bytes: Int64, quota: Int64)
    /// The uploaded bytes are no picture that can be shown, or one without a position.
    case unusable(PictureProblem)
    /// Nothing is known of the pin or place, or it is not the caller's.
    case noAlbum(AlbumSubject)
    /// The album does not contain the photo.
    case notInAlbum(PhotoID, AlbumSubject)
    /// Other photos were requested while the album is in a transient state.
    case notFinal(AlbumSubject, AlbumState)
    /// A place gets other photos only once an hour; the remaining time.
    case tooSoon(milliseconds: Int64)
    /// The picture is not available.
    case noPicture(PhotoID, PictureState)
    /// The picture takes longer to make than is waited for.
    case late(PhotoID)
    /// The photo lacks what its network demands to be shown with it.
    case noCredit(PhotoID)
    /// Only an uploaded photo has a file that is given out, to the account that uploaded it.
    case notUploaded(PhotoID)
    /// The service has no folder of pictures.
    case noFolder
    /// The service is about to stop.
    case stopping
}
