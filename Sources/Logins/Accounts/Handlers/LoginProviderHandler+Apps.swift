package import AccountContracts
import Crypto
import LoginProviders
package import RPC
import Refusals
import Storage

// How apps log in that have a token of the provider already.

extension LoginProviderHandler {
    package func logInWithToken(
        _ request: LogInWithTokenRequest, _ context: CallContext
    ) async throws -> LogInWithTokenResponse {
        let agent = try agent(request.provider)
        try Self.check(request)
        let visitor = Visitor(context, device: request.device)
        let (now, counts) = (store.now, [AttemptCount.ofAddress(visitor.address)])
        let wait = try await store.write(context) { transaction throws(SQLError) in
            try transaction.attempt(counts, at: now)
        }
        if let wait { throw TooManyAttempts(wait: wait) }
        let session: NewSession?
        do {
            session = try await logIn(request, agent, visitor, context)
        } catch let error as RPCError where error.code == .unavailable {
            // That the provider is away is no attempt of the caller's.
            session = nil
        }
        try await store.write(context) { transaction throws(SQLError) in try transaction.succeeded(counts) }
        guard let session else { throw RPCError.providerIsAway(agent.config.label) }
        return LogInWithTokenResponse(session: session)
    }

    private func logIn(
        _ request: LogInWithTokenRequest, _ agent: ProviderAgent, _ visitor: Visitor, _ context: CallContext
    ) async throws -> NewSession {
        let (person, token) = try await person(request, agent)
        return try await logIn(person, agent, visitor, context, using: token)
    }

    private func person(
        _ request: LogInWithTokenRequest, _ agent: ProviderAgent
    ) async throws -> (ProvenPerson, SingleUse?) {
        let now = store.now / 1000
        do throws(ProviderFailure) {
            if !request.accessToken.isEmpty { return (try await agent.person(graphToken: request.accessToken), nil) }
            let (person, end) = try await agent.person(idToken: request.idToken, nonce: request.nonce, at: now)
            let digest = SHA256.digest(SHA256.digest(Array(person.issuer.utf8)) + Array(request.nonce.utf8))
            // Some minutes longer than the token itself counts, by whichever clock.
            let over = min(end, now + Self.longestKept) + Self.tolerance
            return (person, SingleUse(digest: digest, end: over * 1000))
        } catch {
            throw converted(error, agent)
        }
    }

    /// Seconds.
    private static let tolerance: Int64 = 600
    private static let longestKept: Int64 = 366 * 86_400
    private static let shortestNonce = 16

    private static func check(_ request: LogInWithTokenRequest) throws(Refusal) {
        guard request.idToken.isEmpty != request.accessToken.isEmpty else {
            throw Refusal("id_token", "either this or access_token is needed")
        }
        guard !request.accessToken.isEmpty || request.nonce.unicodeScalars.count >= shortestNonce else {
            throw Refusal(
                "nonce", request.nonce.unicodeScalars.count, "characters", allowed: "\(shortestNonce) or more are")
        }
    }
}
