package import BaseContracts
package import Geo
package import Refusals

/// A query for the clusters of a box, already validated.
package struct ClusterQuery: Equatable, Sendable {
    package let box: Geo.Box
    package let zoom: Int
    /// The most clusters.
    package let maximum: Int

    /// From the fields `box`, `zoom` and `max` of a request.
    package init(box: BaseContracts.Box?, zoom: UInt32, max: UInt32?) throws(Refusal) {
        self.box = try Geo.Box(box, field: "box")
        self.zoom = Int(zoom)
        maximum = Int(max ?? FindClustersRequest.maxDefault)
    }

    /// Nothing is counted yet.
    package func clusters<Item>(of type: Item.Type) -> Clusters<Item> { Clusters(in: box, zoom: zoom) }

    /// The answer, with a mark for each thing that is alone, and the cover of several.
    package func answer<Item, Failure: Error>(
        _ clusters: Clusters<Item>, mark: (Item) throws(Failure) -> Mark?,
        cover: (Item) throws(Failure) -> Mark? = { _ in nil }
    ) throws(Failure) -> FindClustersResponse {
        FindClustersResponse(
            clusters: try clusters.all(maximum: maximum).map { cluster throws(Failure) in
                let several = cluster.count > 1 ? cluster.sample : nil
                return Cluster(
                    count: UInt32(clamping: cluster.count),
                    position: BaseContracts.Coordinate(
                        latitude: cluster.position.latitude, longitude: cluster.position.longitude),
                    box: cluster.box.map { BaseContracts.Box($0) },
                    mark: try cluster.item.flatMap { item throws(Failure) in try mark(item) },
                    cover: try several.flatMap { item throws(Failure) in try cover(item) })
            }, count: UInt64(clamping: clusters.count))
    }
}

extension BaseContracts.Box {
    /// A box as a message.
    package init(_ box: Geo.Box) {
        self.init(
            southWest: BaseContracts.Coordinate(latitude: box.south, longitude: box.west),
            northEast: BaseContracts.Coordinate(latitude: box.north, longitude: box.east))
    }
}
