import Budgets
import HTTP

/// Everything that is reached by HTTP. A request is checked from the outside in: first whether this client may ask at
/// all, then what it asks for.
final class HTTPEdge: HTTPResponder {
    let routes: RouteTable
    let session: SessionCookie
    let admission: ClientAdmission
    let origins: Origins
    let clients: ClientAddress
    let rate: RateLimit
    let maximumTimeout: Duration

    init(
        _ routes: RouteTable, _ session: SessionCookie, _ admission: ClientAdmission, _ config: HTTPConfig,
        maximumTimeout: Duration
    ) {
        self.routes = routes
        self.session = session
        self.admission = admission
        origins = config.origins
        clients = ClientAddress(trusting: config.trustedProxies)
        rate = RateLimit(perSecond: config.rate)
        self.maximumTimeout = maximumTimeout
    }

    func begin(_ head: HTTPRequest) -> any HTTPWork { Visit(head, at: self) }

    func standing(of peer: String) -> ClientStanding { clients.isTrusted(peer) ? .trusted : .known }
}
