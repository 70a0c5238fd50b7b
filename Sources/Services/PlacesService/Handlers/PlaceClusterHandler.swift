import PlaceContracts
import Geo
import RPC
import Requests
import Wire

/// Counts the places of a box.
struct PlaceClusterHandler: ClusterServiceHandler {
    let places: PlacesHandler

    func findClusters(_ request: FindClustersRequest, _ context: CallContext) async throws -> FindClustersResponse {
        let query = try ClusterQuery(box: request.box, zoom: request.zoom, max: request.max)
        var criteria = PlaceCriteria()
        criteria.categories = request.categories.map(CategoryPath.bytes)
        criteria.excludedCategories = request.excludedCategories.map(CategoryPath.bytes)
        return try await places.search(context, byName: false) { [criteria] view, _, checkpoint in
            let filter = try criteria.resolved(view, criteria.sources(in: view))
            var clusters = query.clusters(of: Hit.self)
            _ = try view.set.count(into: &clusters, filter, checkpoint: checkpoint)
            let answer = PlacesAnswer(set: view.set, mask: .ofMarks, hasDistances: false)
            return try query.answer(clusters) { Mark(try answer.place($0)) }
        }
    }
}

extension Mark {
    fileprivate init(_ place: Place) {
        self.init(id: place.id, name: place.name, category: place.categories.first ?? "")
    }
}
