import Geo
import Requests
import Storage
import Stores

extension PhotoStore {
    func photo(_ id: PhotoID, deadline: ContinuousClock.Instant?) async throws -> Photo {
        let found = try await read(deadline: deadline) { transaction throws(SQLError) in try transaction.photo(id) }
        guard let found else { throw PhotoError.noPhoto(id) }
        return found
    }

    /// The photos within the radius, nearest first, on one view of the data.
    func near(_ query: NearQuery, deadline: ContinuousClock.Instant? = nil) async throws(StoreError) -> PhotosFound {
        try await read(deadline: deadline) { transaction throws(SQLError) in
            let chosen = try transaction.nearest(query)
            var hits: [PhotosFound.Hit] = []
            for hit in chosen.nearest {
                guard let photo = try transaction.photo(hit.id) else { continue }
                hits.append(PhotosFound.Hit(photo: photo, metres: hit.metres))
            }
            return PhotosFound(hits: hits, isTruncated: chosen.isTruncated)
        }
    }

    /// What there is of a photo's picture.
    struct FoundPicture: Sendable {
        /// Nil when it was not made yet.
        let stored: StoredPicture?
        /// Nil for a photo that is none of the folder's.
        let original: Original?
        let state: PictureState
    }

    func picture(
        _ id: PhotoID, _ size: PictureSize, deadline: ContinuousClock.Instant?
    ) async throws -> FoundPicture {
        let found = try await read(deadline: deadline) { transaction throws(SQLError) -> FoundPicture? in
            guard let photo = try transaction.photo(id) else { return nil }
            return FoundPicture(
                stored: try transaction.picture(id, size), original: try transaction.original(id),
                state: photo.picture.state)
        }
        guard let found else { throw PhotoError.noPhoto(id) }
        return found
    }
}
