import Contracts
import Daemon
import HTTP
import RPC

/// Serves the pictures of shared pins and lists, as long as their shares last.
struct SharedPictureHandler: Sendable {
    let shares: LiveShares
    let tickets: SharedTickets
    let pictures: PictureHandler
    let maps: DatasetMaps
    var clock = WallClock.system

    func respond(to request: HTTPRequest, _ text: Substring, _ caller: Caller) async throws -> HTTPResponse {
        guard let ticket = tickets.open(text), try await shares.isLive(ticket.shareId) else { return Self.nothing }
        if let picture = ticket.picture {
            guard picture.expiresUnixS > clock.unixMilliseconds / 1_000 else { return Self.nothing }
            return try await pictures.respond(to: request, showing: picture, caller, isShared: true)
        }
        guard let position = ticket.map, ticket.expiresUnixS > clock.unixMilliseconds / 1_000 else {
            return Self.nothing
        }
        let (span, isDark) = (ticket.span, try PinMapHandler.isDark(request.query))
        let options = ticket.account.isEmpty ? shares.options : shares.options(for: ticket.account)
        let small = SharedMap.small(around: position, isDark: isDark)
        let picture = try await maps.picture(
            of: ticket.isSmall ? small.near : SharedMap.view(around: position, span: span, isDark: isDark),
            elseOf: ticket.isSmall ? small.region : SharedMap.region(around: position, span: span, isDark: isDark),
            options)
        return PinMapHandler.response(
            to: request, png: picture.png, sha256: picture.sha256, attribution: picture.attribution)
    }

    private static let nothing = HTTPResponse(404, .notFound, "there is no such picture")
}
