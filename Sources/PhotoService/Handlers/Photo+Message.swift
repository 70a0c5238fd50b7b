import Contracts
import Geo
import Wire

// Values of the domain, as the wire says them.

extension Contracts.Photo {
    init(_ photo: Photo, metres: Double? = nil) {
        self.init(
            id: photo.id.text, title: photo.title,
            position: Contracts.Coordinate(latitude: photo.position.latitude, longitude: photo.position.longitude),
            author: photo.credit.author, licence: photo.credit.licence, sourceUrl: photo.credit.sourceURL,
            originalUrl: photo.originalURL, width: photo.width, height: photo.height,
            takenTime: photo.takenMilliseconds.map { TimestampMessage(unixMilliseconds: $0) }, distanceM: metres)
    }
}

extension PhotosNearResponse {
    init(_ found: PhotosFound) {
        self.init(photos: found.hits.map { Contracts.Photo($0.photo, metres: $0.metres) }, truncated: found.isTruncated)
    }
}
