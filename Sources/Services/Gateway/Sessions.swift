import Budgets
import Caches
import Contracts
import Daemon
import EventLoops
import RPC
import Synchronization
import Wire

/// How long an answer about a session counts.
struct SessionPace: Sendable {
    var life: Duration = .seconds(30)
    /// From which age it is asked for again while it still counts.
    var freshness: Duration = .seconds(10)
}

/// The sessions of clients. The pin service knows them; an answer is kept for half a minute at most, so that a session
/// that is revoked ends by then at every gateway.
final class Sessions: Sendable {
    private static let timeout: Duration = .seconds(5)
    /// How many answers are kept, and how many questions are open at once.
    private static let maximumKept = 100_000
    private static let maximumQuestions = 256

    private typealias Answer = Result<IdentityClaim, RPCError>

    private struct Kept {
        let answer: Answer
        let asked: MonotonicTime
        /// The session's own end, in milliseconds since 1970.
        let end: Int64
    }

    private struct State {
        var kept = BoundedCache<[UInt8], Kept>(limit: Sessions.maximumKept)
        var questions: [[UInt8]: Task<Answer, Never>] = [:]
    }

    private let state = Mutex(State())
    private let client: SessionServiceClient
    private let accounts: AccountServiceClient
    private let signer: IdentitySigner
    private let key: DeploymentKey
    private let tokens: AccessTokens
    private let clock: WallClock
    private let pace: SessionPace

    init(
        _ pins: RPCClient, _ signer: IdentitySigner, _ key: DeploymentKey, tokens: AccessTokens,
        clock: WallClock = .system,
        pace: SessionPace = SessionPace()
    ) {
        self.pace = pace
        client = SessionServiceClient(pins)
        accounts = AccountServiceClient(pins)
        self.signer = signer
        self.key = key
        self.tokens = tokens
        self.clock = clock
    }

    /// Whether a text is written as the token of a session or a key.
    static func isToken(_ text: String) -> Bool { BearerToken.kind(of: text) != nil }

    /// Whether it is one that a browser's cookie may hold.
    static func isSession(_ text: String) -> Bool { BearerToken.kind(of: text) == .session }

    /// Whose a token is, if that is known without asking; of one that was made up it always is.
    func known(_ token: ClientToken) -> Result<IdentityClaim, RPCError>? {
        if let kept = kept(token.digest) { return kept.answer }
        return BearerToken.isGenuine(token.text, key) ? nil : .failure(.endedSession)
    }

    /// Whose a token is; UNAUTHENTICATED when its session has ended.
    func claim(of token: ClientToken) async throws(RPCError) -> IdentityClaim {
        if let known = known(token) { return try known.get() }
        return try await question(token.digest).value.get()
    }

    /// Whether the session of a token is known to have ended.
    func hasEnded(_ token: ClientToken) -> Bool {
        if case .failure = known(token) { return true }
        return false
    }

    /// Returns when a token's session has ended. As long as the pin service does not answer, it has not.
    func waitForEnd(of token: ClientToken) async throws {
        while true {
            try await Task.sleep(for: pace.freshness)
            do throws(RPCError) { _ = try await claim(of: token) } catch  where error.code == .unauthenticated {
                return
            } catch {}
        }
    }

    /// Begins a session for the bearer of a token of the deployment.
    func begin(_ token: ClientToken, _ roles: Roles, address: String, device: String) async throws(RPCError) -> String {
        let request = BeginSessionRequest(
            deploymentToken: token.digest, roles: roles.list, address: address, device: device)
        return try await Self.converting { try await client.beginSession(request, options).session?.token ?? "" }
    }

    /// Ends a session.
    func end(_ token: ClientToken, by client: ClientKey) async throws(RPCError) {
        let options = CallOptions(deadline: .now + Self.timeout, signedIdentity: signer.sign(.stranger(client)))
        _ = try await Self.converting { try await accounts.logOut(LogOutRequest(token: token.text), options) }
        forget(token)
    }

    /// Drops what is kept of a session: the next call asks for it again.
    func forget(_ token: ClientToken) { state.withLock { _ = $0.kept.remove(token.digest) } }

    private static func converting<Value>(_ body: () async throws -> Value) async throws(RPCError) -> Value {
        do { return try await body() } catch { throw RPCError(anyError: error) }
    }

    private var options: CallOptions {
        CallOptions(deadline: .now + Self.timeout, signedIdentity: signer.sign(.service("gateway", for: nil)))
    }

    /// The session that is kept, if it still counts. One that has become old is asked for again meanwhile.
    private func kept(_ digest: [UInt8]) -> Kept? {
        guard let kept = state.withLock({ $0.kept.use(digest) }) else { return nil }
        let age = MonotonicTime.now.since(kept.asked)
        guard age < pace.life, kept.end > clock.unixMilliseconds else { return nil }
        if age >= pace.freshness { _ = try? question(digest) }
        return kept
    }

    /// Asks the pin service, once for all who want to know at the same time.
    private func question(_ digest: [UInt8]) throws(RPCError) -> Task<Answer, Never> {
        let question: Task<Answer, Never>? = state.withLock { state in
            if let open = state.questions[digest] { return open }
            if state.questions.count >= Self.maximumQuestions { return nil }
            let task = Task { await self.ask(digest) }
            state.questions[digest] = task
            return task
        }
        if let question { return question }
        throw RPCError(
            .resourceExhausted, "too many sessions are being looked up; try again",
            details: StatusDetails(retryAfterMs: 100))
    }

    private func ask(_ digest: [UInt8]) async -> Answer {
        let asked = MonotonicTime.now
        let answer: Answer
        var end = Int64.max
        do throws(RPCError) {
            let found = try await Self.converting {
                try await client.checkToken(CheckTokenRequest(digest: digest), options)
            }
            end = found.expireTime?.unixMilliseconds ?? .max
            answer = isStillLetIn(found) ? .success(Self.claim(found)) : .failure(.endedSession)
        } catch {
            answer = .failure(error.code == .notFound ? .endedSession : error)
        }
        state.withLock { state in
            state.questions[digest] = nil
            // Whether the pin service is away says nothing of the session.
            if case .failure(let error) = answer, error.code != .unauthenticated { return }
            state.kept.add(Kept(answer: answer, asked: asked, end: end), at: digest)
        }
        return answer
    }

    /// A session that was begun with a token of the deployment ends with that token.
    private func isStillLetIn(_ found: CheckTokenResponse) -> Bool {
        found.deploymentToken.isEmpty || tokens.isKnown(digest: found.deploymentToken)
    }

    private static func claim(_ found: CheckTokenResponse) -> IdentityClaim {
        .account(
            found.account, Roles(found.roles).intersection(.ofAccounts),
            by: found.apiKey
                ? .key(found.session, isReadOnly: found.readOnly, networks: Set(found.networks))
                : .session(found.session))
    }
}

extension RPCError {
    /// The token of a session that has ended, or never was.
    fileprivate static let endedSession = RPCError(.unauthenticated, "the session has ended; log in again")
}
