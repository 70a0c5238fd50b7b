package import GatewayContracts
package import RPC
import Terminal
import Wire

/// What a load consists of: calls of one method, each with one of some requests.
package struct Workload: Sendable {
    /// One that the client does not try again by itself: each failure is to be seen.
    package let method: MethodDescriptor
    /// Packed.
    package let requests: [[UInt8]]
    /// What a reader should know of the requests: "1.00 km, limit 20, 2,000 centres".
    package let description: String
    /// How many things an answer holds; nil when they are not counted.
    let things: (@Sendable (_ answer: [UInt8]) throws -> Int)?
    /// How the branches of an answer went; nil when it has none.
    var branches: (@Sendable (_ answer: [UInt8]) throws -> [BranchOutcome])?
    let seed: UInt64

    package init(
        _ method: MethodDescriptor, requests: [[UInt8]], description: String, seed: UInt64,
        things: (@Sendable (_ answer: [UInt8]) throws -> Int)? = nil
    ) {
        self.method = MethodDescriptor(
            service: method.service, method: method.method, kind: method.kind, isIdempotent: false,
            hasNoSideEffects: false, role: method.role)
        self.requests = requests
        self.description = description
        self.seed = seed
        self.things = things
    }

    /// Which request the call with this number has; the same for the same seed.
    func request(of turn: Int) -> Int {
        var random = QuickRandom(seed: seed &+ UInt64(truncatingIfNeeded: turn))
        return Int.random(in: 0..<requests.count, using: &random)
    }
}

/// The radius search as a workload.
package struct NearbyLoad: Sendable {
    /// What all requests have in common.
    package let common: NearbyRequest
    let seed: UInt64

    package init(common: NearbyRequest, seed: UInt64) {
        self.common = common
        self.seed = seed
    }

    /// The service's own values, for the report.
    static let defaultRadius = 1000.0
    static let defaultLimit: UInt32 = 20

    /// One request for each centre.
    package func requests(_ centres: [Coordinate]) -> [NearbyRequest] {
        centres.map { centre in
            var request = common
            request.centre = centre
            return request
        }
    }

    /// `source` says where the centres are from.
    package func workload(_ requests: [NearbyRequest], from source: String) -> Workload {
        let filters = (common.categories + common.datasets).map { ", only \($0)" }.joined()
        let radius = Quantity.distance(common.radiusM ?? Self.defaultRadius)
        return Workload(
            PlacesServiceMethods.nearby, requests: requests.map { $0.packedBytes() },
            description: "\(radius), limit \(common.limit ?? Self.defaultLimit)\(filters), "
                + "\(Quantity.count(requests.count, "centre")) \(source)", seed: seed
        ) { answer in try NearbyResponse(packed: answer).places.count }
    }
}
