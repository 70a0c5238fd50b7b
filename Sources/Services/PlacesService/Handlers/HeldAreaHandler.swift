import Bytes
import Contracts
import Geo
import RPC
import Refusals
import Requests
import Stores

/// Answers the pin service's calls about which areas have pins.
struct HeldAreaHandler: HeldAreaServiceHandler {
    let store: DiscoveryStore
    let own: OwnPlaces

    func holdArea(_ request: HoldAreaRequest, _ context: CallContext) async throws -> HoldAreaResponse {
        let pin = try Self.pin(request.pinId)
        let centre = try Geo.Coordinate(request.centre, field: "centre")
        let radius = try Bounds.pinRadius.checked(request.radiusM)
        let account = context.owner
        try await store.hold(GridCell.covering(centre, radiusMetres: radius), for: pin, of: account)
        // What was found there before it was shown to anyone in particular.
        try await own.catchUp()
        return HoldAreaResponse()
    }

    func releaseAreas(_ request: ReleaseAreasRequest, _ context: CallContext) async throws -> ReleaseAreasResponse {
        try await store.release(try Self.pin(request.pinId))
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

    private static func pin(_ id: String) throws(Refusal) -> String {
        let groups = id.split(at: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], groups.joined().unicodeScalars.allSatisfy(\.isHexDigit)
        else { throw Refusal("pin_id", text: id, allowed: "a UUID is") }
        return id.lowercased()
    }
}
