import Bytes
import PlaceContracts
import Geo
import RPC
import Requests
import Stores

/// Answers the pin service's calls about which areas have pins.
struct HeldAreaHandler: HeldAreaServiceHandler {
    let store: DiscoveryStore
    let own: OwnPlaces

    func holdArea(_ request: HoldAreaRequest, _ context: CallContext) async throws -> HoldAreaResponse {
        let pin = request.pinId.lowercased()
        let centre = try Geo.Coordinate(request.centre, field: "centre")
        let radius = request.radiusM ?? HoldAreaRequest.radiusMDefault
        let account = context.owner
        try await store.hold(GridCell.covering(centre, radiusMetres: radius), for: pin, of: account)
        // What was found there before it was shown to anyone in particular.
        try await own.catchUp()
        return HoldAreaResponse()
    }

    func releaseAreas(_ request: ReleaseAreasRequest, _ context: CallContext) async throws -> ReleaseAreasResponse {
        try await store.release(request.pinId.lowercased())
        return ReleaseAreasResponse()
    }

    func forgetFindings(
        _ request: ForgetFindingsRequest, _ context: CallContext
    ) async throws -> ForgetFindingsResponse {
        let account = try context.account
        try await store.forget(account)
        own.drop(account)
        return ForgetFindingsResponse()
    }
}
