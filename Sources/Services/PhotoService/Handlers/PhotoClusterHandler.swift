import PhotoContracts
import Geo
import NearRows
import RPC
import Requests
import Storage
import Stores

/// Counts the photos of a box. Of several one is the cover, if it has a picture: a favourite before all, then one that
/// the account alone has.
struct PhotoClusterHandler: ClusterServiceHandler {
    let near: NearSearch
    let links: PictureLinks

    /// How many favourites may be covers: the newest.
    private static let favourites = 500

    func findClusters(_ request: FindClustersRequest, _ context: CallContext) async throws -> FindClustersResponse {
        let account = try context.account
        let query = try ClusterQuery(box: request.box, zoom: request.zoom, max: request.max)
        return try await StoreError.converting("photos") { () async throws(SQLError) in
            try await near.clusters(query, for: account, deadline: context.storageDeadline) {
                [links] id, transaction throws(SQLError) in
                guard let photo = try transaction.photo(numbered: id, for: account) else { return nil }
                return Mark(id: photo.id.text, name: photo.title, pictureUrl: links.small(of: photo))
            } cover: { [links] id, transaction throws(SQLError) in
                guard let photo = try transaction.photo(numbered: id, for: account) else { return nil }
                let picture = links.small(of: photo)
                return picture.isEmpty ? nil : Mark(id: photo.id.text, pictureUrl: picture)
            } preferred: { transaction throws(SQLError) in
                try transaction.favouritePoints(of: account, limit: Self.favourites)
            }
        }
    }
}
