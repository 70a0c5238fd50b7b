package import AccountContracts
import Crypto
import LoginProviders
package import RPC
import Storage

// How a person is logged out here who has logged out at the provider.

extension LoginProviderHandler {
    /// Milliseconds for which a log-out is kept: an ID token that was issued before it logs no one in meanwhile. The
    /// log-out's own token is too old after some minutes.
    private static let logOutLife: Int64 = 86_400_000

    package func endProviderSessions(
        _ request: EndProviderSessionsRequest, _ context: CallContext
    ) async throws -> EndProviderSessionsResponse {
        let agent = try agent(request.provider)
        let counts = [AttemptCount.ofLogOuts(context.identity?.client ?? "")]
        let now = store.now
        let wait = try await store.write(context) { transaction throws(SQLError) in
            try transaction.attempt(counts, at: now)
        }
        if let wait { throw TooManyAttempts(wait: wait) }
        let logOut: ProvenLogOut
        do throws(ProviderFailure) {
            logOut = try await agent.logOut(request.logoutToken, at: now / 1000)
        } catch {
            if case .away = error {
                // That its keys can't be had is no lie.
                try await store.write(context) { transaction throws(SQLError) in try transaction.succeeded(counts) }
            }
            throw converted(error, agent)
        }
        let name = agent.config.name
        let digest = SHA256.digest(SHA256.digest(Array(logOut.issuer.utf8)) + Array(logOut.id.utf8))
        try await store.write(context) { transaction throws(SQLError) in
            try transaction.succeeded(counts)
            guard try transaction.insert(logOut, digest: digest, until: now + Self.logOutLife) else { return }
            for account in try transaction.endSessions(of: logOut) {
                try transaction.record(
                    SecurityEvent(
                        id: RandomID.make(), time: now, kind: .providerLoggedOut, account: account, device: name))
            }
        }
        return EndProviderSessionsResponse()
    }
}
