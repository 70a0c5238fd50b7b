package import GatewayContracts
import EventLoops
import RPC
import Terminal
import Wire

/// The search of all services as a workload.
package struct ExploreLoad: Sendable {
    /// What all requests have in common.
    package let common: ExploreRequest
    let seed: UInt64

    package init(common: ExploreRequest, seed: UInt64) {
        self.common = common
        self.seed = seed
    }

    /// One call for each centre. `source` says where the centres are from.
    package func workload(_ centres: [Coordinate], from source: String) -> Workload {
        let requests = centres.map { centre in
            var request = common
            request.centre = centre
            return request.packedBytes()
        }
        let filters = (common.branches + common.categories).map { ", only \($0)" }.joined()
        let radius = Quantity.distance(common.radiusM ?? ExploreRequest.radiusMDefault)
        let budget = Quantity.duration(common.budget?.duration ?? ExploreRequest.budgetDefault)
        var workload = Workload(
            ExploreServiceMethods.explore, requests: requests,
            description: "\(radius), limit \(common.limit ?? ExploreRequest.limitDefault), budget \(budget)\(filters), "
                + "\(Quantity.count(requests.count, "centre")) \(source)", seed: seed
        ) { answer in
            let parts = try ExploreParts(packed: answer)
            return parts.places.count + parts.pins.count + parts.photos.count + parts.posts.count
        }
        // The things stay packed, so that looking at every answer costs little.
        workload.branches = { answer in try ExploreParts(packed: answer).branches.map(BranchOutcome.init) }
        return workload
    }
}

extension BranchOutcome {
    init(_ branch: Branch) {
        name = branch.name
        code = RPCCode(wire: branch.code)
        nanoseconds = branch.elapsed?.duration?.clampedNanoseconds ?? 0
    }
}
