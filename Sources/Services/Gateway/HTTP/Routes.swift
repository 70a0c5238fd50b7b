import Contracts
import Daemon
import HTTP
import RPC

/// What routes are made of.
struct RouteParts {
    let server: Server
    let backends: Backends
    let sharing: Sharing
    let admission: ClientAdmission
    let session: SessionCookie
    let key: DeploymentKey
    let publicURL: WebOrigin?
    let pictures: PictureCache
    let large: LargeMessages
    let web: WebParts
    let pace: EventPace
}

extension RouteTable {
    /// All that is reached by HTTP. A page or a path that is no method is a row here.
    init(_ parts: RouteParts) {
        let connect = ConnectHandler(parts.server, parts.large)
        let events = EventStreams(parts.server, connect, pace: parts.pace)
        let account = AccountDownloadHandler(backends: parts.backends, admission: parts.admission)
        let albums = AlbumHandler(parts.backends, parts.admission)
        let pictures = PictureHandler(parts.pictures, PictureTickets(parts.key))
        let maps = PinMapHandler(parts.server)
        let tiles = TileHandler(parts.server)
        let sharedPage = SharedPage(
            shared: parts.sharing.handler, template: parts.web.template, publicURL: parts.publicURL, large: parts.large)
        let sharedPictures = SharedPictureHandler(
            shares: parts.sharing.shares, tickets: SharedTickets(parts.key), pictures: pictures,
            maps: parts.sharing.maps)
        let providers = ProviderLogin(
            pins: parts.backends.pins, admission: parts.admission, session: parts.session, publicURL: parts.publicURL)
        let reading = Route.reading
        let rows = [
            Route(.at("/events"), ["GET"], for: .accounts) { request, _, caller in
                try events.respond(to: request, caller)
            },
            Route(.at("/session"), ["POST", "DELETE"], body: SessionCookie.bodyLimit) { request, _, caller in
                try await parts.session.respond(to: request, caller)
            },
            Route(.at("/account.zip"), reading, for: .accounts) { request, _, caller in
                try account.respond(to: request, caller)
            },
            Route(.below("/albums/", end: ".zip"), reading, for: .accounts) { request, pin, caller in
                try await albums.respond(to: request, pin, caller)
            },
            Route(.below(PictureTickets.path), reading, isShownElsewhere: true) { request, ticket, caller in
                try await pictures.respond(to: request, ticket, caller)
            },
            Route(.below("/maps/"), reading, time: .call(MapServiceMethods.getPinMap)) { request, pin, caller in
                try await maps.respond(to: request, pin, caller)
            },
            Route(.below("/tiles/"), reading, time: .call(PlacesServiceMethods.getTile)) { request, name, caller in
                try await tiles.respond(to: request, name, caller)
            },
            Route(.below("/s/"), reading) { request, token, caller in
                await sharedPage.respond(to: request, token, caller)
            },
            Route(.below(SharedTickets.path), reading) { request, ticket, caller in
                try await sharedPictures.respond(to: request, ticket, caller)
            },
        ]
        let files = parts.web.archives.map(\.route) + parts.web.pages.routes
        self.init(connect.routes + rows + providers.routes + files)
    }
}
