import Contracts
import Geo
import Wire

// Converts values of the domain to messages.

extension Contracts.Photo {
    init(_ photo: Photo, _ links: PictureLinks, metres: Double? = nil) {
        self.init(
            id: photo.id.text, title: photo.title,
            position: Contracts.Coordinate(latitude: photo.position.latitude, longitude: photo.position.longitude),
            author: photo.credit.author, licence: photo.credit.licence, sourceUrl: photo.credit.sourceURL,
            originalUrl: photo.originalURL, width: photo.width, height: photo.height,
            takenTime: photo.takenMilliseconds.map { TimestampMessage(unixMilliseconds: $0) },
            state: Contracts.PhotoState(photo.picture.state), fetchedByteCount: photo.picture.fetchedByteCount,
            totalByteCount: UInt64(clamping: photo.picture.byteCount), failure: photo.picture.failure,
            distanceM: metres, placeholder: photo.picture.placeholder, thumbnailUrl: links.thumbnail(of: photo),
            largeUrl: links.large(of: photo))
    }
}

extension Contracts.PhotoState {
    fileprivate init(_ state: PictureState) {
        self =
            switch state {
            case .unspecified: .unspecified
            case .waiting: .waiting
            case .ready: .ready
            case .failed: .failed
            }
    }
}

extension PictureStatus {
    /// A picture is fetched whole or not at all.
    fileprivate var fetchedByteCount: UInt64 { state == .ready ? UInt64(clamping: byteCount) : 0 }
}

extension PhotosNearResponse {
    init(_ found: PhotosFound, _ links: PictureLinks) {
        self.init(
            photos: found.hits.map { Contracts.Photo($0.photo, links, metres: $0.metres) },
            truncated: found.isTruncated)
    }
}
