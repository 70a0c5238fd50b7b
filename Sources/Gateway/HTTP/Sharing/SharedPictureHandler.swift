import Contracts
import Daemon
import HTTP
import MapPicture
import RPC

/// Serves the pictures of shared pins, as long as their shares last.
struct SharedPictureHandler: Sendable {
    /// How a picture of the map is drawn: as wide as the page's column, for a preview as well.
    private static let map = (span: 0.012, width: 600, height: 315, scale: 2)

    let shares: LiveShares
    let tickets: SharedTickets
    let pictures: PictureHandler
    let maps: MapPictures
    var clock = WallClock.system

    func respond(to request: HTTPRequest, _ text: Substring, _ caller: Caller) async -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            return .methodNotAllowed(request, "GET, HEAD")
        }
        do {
            guard let ticket = tickets.open(text), try await shares.isLive(ticket.shareId) else { return Self.nothing }
            if let picture = ticket.picture {
                guard picture.expiresUnixS > clock.unixMilliseconds / 1_000 else { return Self.nothing }
                return try await pictures.respond(to: request, showing: picture, caller, isShared: true)
            }
            guard let position = ticket.map, ticket.expiresUnixS > clock.unixMilliseconds / 1_000 else {
                return Self.nothing
            }
            let picture = try await maps.picture(of: Self.view(around: position))
            return PinMapHandler.response(to: request, png: picture.png, sha256: picture.sha256)
        } catch {
            return HTTPResponse(RPCError(anyError: error).naming(caller.requestID))
        }
    }

    private static let nothing = HTTPResponse(404, .notFound, "there is no such picture")

    private static func view(around position: Coordinate) -> MapView {
        MapView(
            latitude: position.latitude, longitude: position.longitude, span: map.span, width: map.width,
            height: map.height, scale: map.scale)
    }
}
