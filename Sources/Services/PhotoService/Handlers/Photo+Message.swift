import PhotoContracts
import Daemon
import Geo
import Storage
import Wire

// Converts values of the domain to messages.

extension PhotoContracts.Photo {
    init(_ photo: Photo, _ links: PictureLinks) {
        self.init(
            id: photo.id.text, title: photo.title,
            position: BaseContracts.Coordinate(latitude: photo.position.latitude, longitude: photo.position.longitude),
            author: photo.credit.author, licence: photo.credit.licence, sourceUrl: photo.credit.sourceURL,
            originalUrl: photo.originalURL, width: photo.width, height: photo.height,
            takenTime: photo.takenMilliseconds.map { TimestampMessage(unixMilliseconds: $0) },
            state: PhotoContracts.PhotoState(photo.picture), fetchedByteCount: photo.picture.fetchedByteCount,
            totalByteCount: photo.picture.totalByteCount, failure: photo.picture.failure,
            placeholder: photo.picture.placeholder, thumbnailUrl: links.thumbnail(of: photo),
            largeUrl: links.large(of: photo), favourite: photo.isFavourite,
            smallUrl: links.small(of: photo), tags: photo.tags, addedBy: photo.addedBy,
            takenOffsetMinutes: photo.takenOffsetMinutes.map { Int32(clamping: $0) },
            // What a guest's camera wrote is not for the owner of the album.
            camera: photo.addedBy.isEmpty ? photo.camera : "", lens: photo.addedBy.isEmpty ? photo.lens : "",
            copyPaths: photo.copyPaths)
    }
}

extension PhotoContracts.Photo {
    /// Of an album.
    init(_ entry: AlbumPage.Entry, _ links: PictureLinks) {
        self.init(entry.photo, links)
        reason =
            switch entry.reason {
            case .near: .near
            case .facing: .facing
            case .named: .named
            }
    }
}

extension PhotoContracts.PhotoState {
    fileprivate init(_ picture: PictureStatus) {
        self =
            switch picture.state {
            case .unspecified: .unspecified
            case .waiting: picture.fetched.count > 0 ? .downloading : .waiting
            case .ready: .ready
            case .failed: .failed
            }
    }
}

extension PictureStatus {
    fileprivate var fetchedByteCount: UInt64 { UInt64(clamping: state == .ready ? byteCount : fetched.count) }
    fileprivate var totalByteCount: UInt64 { UInt64(clamping: fetched.count > 0 ? fetched.total : byteCount) }
}

/// The URLs of photos' pictures, which clients get by HTTP without calling this service.
struct PictureLinks: Sendable {
    let tickets: PictureTickets
    /// Whether pictures can be made from an original.
    let canMake: @Sendable (Original) -> Bool
    /// The networks that pictures can be fetched from now.
    var networks: @Sendable () -> [String] = { [] }

    /// What the URLs of a photo depend on besides its row.
    var edition: String { "\(tickets.day) \(networks().joined(separator: " "))" }

    /// Empty while there is no thumbnail, or when the photo may not be shown.
    func thumbnail(of photo: Photo, _ size: BaseContracts.PictureSize = .thumbnail) -> String {
        if photo.id.isShownThrough { return through(photo, .thumbnail) }
        guard photo.picture.state == .ready, photo.mayBeShown, !photo.picture.thumbnail.isEmpty else { return "" }
        return tickets.url(of: photo.id.text, size, source: photo.picture.thumbnail)
    }

    /// Empty when there is no small picture and none can be made, or when the photo may not be shown. It does not tell
    /// whether another account has had it made.
    func small(of photo: Photo) -> String {
        let made = thumbnail(of: photo, .small)
        guard made.isEmpty, !photo.id.isShownThrough, canBeMade(photo.picture), photo.mayBeShown else { return made }
        return tickets.url(of: photo.id.text, .small, source: source(of: photo.picture))
    }

    /// Empty when there is no large picture and none can be made, or when the photo may not be shown.
    func large(of photo: Photo) -> String {
        if photo.id.isShownThrough { return through(photo, .large) }
        guard photo.picture.hasLarge || canBeMade(photo.picture), photo.mayBeShown else { return "" }
        return tickets.url(of: photo.id.text, .large, source: source(of: photo.picture))
    }

    private func canBeMade(_ picture: PictureStatus) -> Bool {
        picture.state != .failed && picture.original.map(canMake) ?? false
    }

    /// A picture that is shown through is not known before; it is identified by its photo.
    private func through(_ photo: Photo, _ size: BaseContracts.PictureSize) -> String {
        guard photo.picture.state == .ready else { return "" }
        let name = BlobName(of: Array(photo.id.text.utf8))
        return tickets.url(of: photo.id.text, size, source: Array(name.bytes.prefix(PictureStatus.sourceLength)))
    }

    /// One that may not be made yet is identified by the file that it is made from.
    private func source(of picture: PictureStatus) -> [UInt8] {
        let original = picture.original.map { "\($0.modifiedNs) \($0.orientation)" } ?? ""
        let name = BlobName(of: Array("\(original) \(picture.byteCount)".utf8))
        return Array(name.bytes.prefix(PictureStatus.sourceLength))
    }
}
