import Contracts
import Geo

extension NearQuery {
    init(_ request: PhotosNearRequest) throws(PhotoError) {
        try self.init(
            centre: Geo.Coordinate(request.centre, field: "centre"), radiusMetres: request.radiusM,
            limit: request.limit)
    }
}
