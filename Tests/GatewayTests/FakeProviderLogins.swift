import Contracts
import RPC
import Synchronization

/// Logins at a provider as the pin service answers them in a test: one named "home", which knows no secret.
final class FakeProviderLogins: Sendable {
    static let address = "https://id.example.org/authorize?state=s"

    private let begun = Mutex<[BeginLoginRequest]>([])
    private let finished = Mutex<[FinishLoginRequest]>([])

    private let ended = Mutex<[EndProviderSessionsRequest]>([])

    var ends: [EndProviderSessionsRequest] { ended.withLock { $0 } }
    var begins: [BeginLoginRequest] { begun.withLock { $0 } }
    var finishes: [FinishLoginRequest] { finished.withLock { $0 } }

    func register(in router: inout Router, _ sessions: FakeSessions) {
        router.unary(LoginProviderServiceMethods.beginLogin) {
            [self] (request: BeginLoginRequest, context: CallContext) async throws -> BeginLoginResponse in
            // Its attempts are counted by the client's address.
            guard context.identity?.client != nil else { throw RPCError(.internalError, "no address") }
            guard request.provider == "home" else { throw RPCError(.invalidArgument, "provider: there is none") }
            begun.withLock { $0.append(request) }
            return BeginLoginResponse(address: Self.address)
        }
        router.unary(LoginProviderServiceMethods.endProviderSessions) {
            [self] (request: EndProviderSessionsRequest, context: CallContext) async throws
                -> EndProviderSessionsResponse in
            guard context.identity?.client != nil else { throw RPCError(.internalError, "no address") }
            ended.withLock { $0.append(request) }
            switch request.logoutToken {
            case "wrong": throw RPCError(.unauthenticated, "it can't be believed")
            case "away": throw RPCError(.unavailable, "it does not answer")
            default: return EndProviderSessionsResponse()
            }
        }
        router.unary(LoginProviderServiceMethods.beginLink) {
            (_: BeginLinkRequest, context: CallContext) async throws -> BeginLinkResponse in
            BeginLinkResponse(address: "\(Self.address)&for=\(try context.account)")
        }
        router.unary(LoginProviderServiceMethods.finishLogin) {
            [self] (request: FinishLoginRequest, _: CallContext) async throws -> FinishLoginResponse in
            finished.withLock { $0.append(request) }
            switch request.code {
            case "link": return FinishLoginResponse(linked: LinkedIdentity(id: "i"))
            case "taken": throw RPCError(.alreadyExists, "a secret sentence")
            case "denied": throw RPCError(.permissionDenied, "a secret sentence")
            case "away": throw RPCError(.unavailable, "a secret sentence")
            default: return FinishLoginResponse(session: NewSession(token: sessions.begin("ann")))
            }
        }
    }
}
