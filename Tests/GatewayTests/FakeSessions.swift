import Contracts
import Crypto
import Daemon
import EventLoops
import RPC
import Synchronization
import Wire

/// The sessions that the pin service knows in a test.
final class FakeSessions: Sendable {
    private struct State {
        var known: [[UInt8]: CheckTokenResponse] = [:]
        /// How often a token was asked about.
        var questions = 0
        var isAway = false
    }

    private static let key = DeploymentKey(bytes: Array(0..<32)) ?? { preconditionFailure("no key") }()

    private let state = Mutex(State())

    /// A session of an account; returns its token.
    func begin(_ account: String, roles: [Role] = [.user], deploymentToken: [UInt8] = []) -> String {
        let token = BearerToken.session.make(Self.key)
        let session = CheckTokenResponse(
            account: account, roles: roles, session: "session of \(account)",
            expireTime: TimestampMessage(unixMilliseconds: 4_000_000_000_000), deploymentToken: deploymentToken)
        state.withLock { $0.known[Self.digest(token)] = session }
        return token
    }

    func end(_ token: String) { state.withLock { _ = $0.known.removeValue(forKey: Self.digest(token)) } }

    func isKnown(_ token: String) -> Bool { state.withLock { $0.known[Self.digest(token)] != nil } }

    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    var questions: Int { state.withLock { $0.questions } }

    static func digest(_ token: String) -> [UInt8] { SHA256.digest(Array(token.utf8)) }

    func register(in router: inout Router) {
        router.unary(SessionServiceMethods.checkToken) {
            [self] (request: CheckTokenRequest, _: CallContext) async throws -> CheckTokenResponse in
            try state.withLock { state in
                state.questions += 1
                if state.isAway { throw RPCError(.unavailable, "away") }
                guard let known = state.known[request.digest] else { throw RPCError(.notFound, "no such session") }
                return known
            }
        }
        router.unary(SessionServiceMethods.beginSession) {
            [self] (request: BeginSessionRequest, _: CallContext) async throws -> BeginSessionResponse in
            if state.withLock({ $0.isAway }) { throw RPCError(.unavailable, "away") }
            let token = begin("local", roles: request.roles, deploymentToken: request.deploymentToken)
            return BeginSessionResponse(session: NewSession(token: token))
        }
        router.unary(AccountServiceMethods.logOut) {
            [self] (request: LogOutRequest, _: CallContext) async throws -> LogOutResponse in
            end(request.token)
            return LogOutResponse()
        }
        router.unary(AccountServiceMethods.logIn) {
            (request: LogInRequest, context: CallContext) async throws -> LogInResponse in
            // Which address the pin service is shown.
            LogInResponse(session: NewSession(token: context.identity?.client ?? ""))
        }
        router.unary(AccountServiceMethods.getProfile) {
            (_: GetProfileRequest, context: CallContext) async throws -> GetProfileResponse in
            GetProfileResponse(
                account: Account(id: try context.account, firstName: context.identity?.session ?? ""))
        }
    }
}
