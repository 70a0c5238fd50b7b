import Contracts
import Daemon
import Storage

/// The URLs of photos' pictures, which clients get by HTTP without calling this service.
struct PictureLinks: Sendable {
    let tickets: PictureTickets
    /// Whether large pictures can be made.
    let hasFolder: Bool

    /// Empty while there is no thumbnail, or when the photo may not be shown.
    func thumbnail(of photo: Photo) -> String {
        guard photo.picture.state == .ready, photo.mayBeShown, !photo.picture.thumbnail.isEmpty else { return "" }
        return tickets.url(of: photo.id.text, .thumbnail, source: photo.picture.thumbnail)
    }

    /// Empty when there is no large picture and none can be made, or when the photo may not be shown.
    func large(of photo: Photo) -> String {
        let picture = photo.picture
        let canBeMade = hasFolder && picture.original != nil && picture.state != .failed
        guard picture.hasLarge || canBeMade, photo.mayBeShown else { return "" }
        return tickets.url(of: photo.id.text, .large, source: source(of: picture))
    }

    /// A large picture is identified by the file that it is made from, because it may not be made yet.
    private func source(of picture: PictureStatus) -> [UInt8] {
        let original = picture.original.map { "\($0.modifiedNs) \($0.orientation)" } ?? ""
        let name = BlobName(of: Array("\(original) \(picture.byteCount)".utf8))
        return Array(name.bytes.prefix(PictureStatus.sourceLength))
    }
}

extension Photo {
    /// A photo is not shown without the credit that its network requires.
    fileprivate var mayBeShown: Bool { credit.suffices(for: id.network) }
}
