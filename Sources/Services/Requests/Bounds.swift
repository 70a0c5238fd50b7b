import Contracts
package import Refusals

/// The bounds of fields in requests, as the .proto files say them. Where one stands for several messages, RequestsTests
/// see that they agree.
package enum Bounds {
    /// How far around a point is searched.
    package static let radius = metres(NearbyRequest.radiusMRange, default: NearbyRequest.radiusMDefault)
    /// How far around a pin places are linked.
    package static let pinRadius = metres(CreatePinRequest.radiusMRange, default: CreatePinRequest.radiusMDefault)
    /// How far around a point live networks are asked.
    package static let discoveryRadius = metres(DiscoverRequest.radiusMRange, default: DiscoverRequest.radiusMDefault)
    /// How many of a live network's nearest places suffice.
    package static let nearest = Bound(
        "nearest", DiscoverRequest.nearestRange, default: DiscoverRequest.nearestRange.upperBound)
    /// How many results near a point or in a box are returned.
    package static let limit = Bound("limit", NearbyRequest.limitRange, default: NearbyRequest.limitDefault)
    /// Zoom level of a map.
    package static let zoom = Bound("zoom", FindClustersRequest.zoomRange, default: 0)
    /// How many clusters of a box are returned.
    package static let clusters = Bound("max", FindClustersRequest.maxRange, default: FindClustersRequest.maxDefault)
    /// How many matches of a text are returned.
    package static let matches = Bound("limit", GeocodeRequest.limitRange, default: GeocodeRequest.limitDefault)

    /// A distance.
    package static func metres(_ range: ClosedRange<Double>, default metres: Double) -> Bound<Double> {
        Bound("radius_m", range, default: metres, unit: "metres")
    }

    /// How many results are on a page.
    package static func pageSize(_ range: ClosedRange<UInt32>, default size: UInt32) -> Bound<UInt32> {
        Bound("page_size", range, default: size)
    }
}
