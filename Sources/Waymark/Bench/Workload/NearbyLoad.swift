import Contracts
import RPC
import Terminal
import Wire

/// The radius search as a workload.
struct NearbyLoad: Sendable {
    /// What all requests have in common.
    let common: NearbyRequest
    let seed: UInt64

    /// The service's own values, for the report.
    static let usualRadius = 1000.0
    static let usualLimit: UInt32 = 20

    /// One request for each centre.
    func requests(_ centres: [Coordinate]) -> [NearbyRequest] {
        centres.map { centre in
            var request = common
            request.centre = centre
            return request
        }
    }

    /// `source` says where the centres are from.
    func workload(_ requests: [NearbyRequest], from source: String) -> Workload {
        let filters = (common.categories + common.datasets).map { ", only \($0)" }.joined()
        let radius = Quantity.distance(common.radiusM ?? Self.usualRadius)
        return Workload(
            PlacesServiceMethods.nearby, requests: requests.map { $0.packedBytes() },
            description: "\(radius), limit \(common.limit ?? Self.usualLimit)\(filters), "
                + "\(Quantity.count(requests.count, "centre")) \(source)", seed: seed
        ) { answer in try NearbyResponse(packed: answer).places.count }
    }
}
