package import HTTPClient
internal import OpenIDConnect
internal import Refusals
internal import Synchronization

/// The random values of one login in a browser, and where the browser comes back to.
package struct LoginKeys: Sendable {
    let state: String
    let nonce: String
    let verifierBytes: [UInt8]
    let redirectURI: String

    /// - Parameter verifierBytes: 32 bytes.
    package init(state: String, nonce: String, verifierBytes: [UInt8], redirectURI: String) {
        self.state = state
        self.nonce = nonce
        self.verifierBytes = verifierBytes
        self.redirectURI = redirectURI
    }
}

/// Talks with one provider. Times are seconds since 1970.
package final class ProviderAgent: Sendable {
    /// Seconds for which a discovery document is used, and between two tries to fetch it.
    private static let life: Int64 = 3600
    private static let pause: Int64 = 5
    private static let timeout: Duration = .seconds(10)
    private static let connectTimeout: Duration = .seconds(5)
    static let longestAnswer = 64 << 10

    private typealias Fetch = Task<Result<ProviderMetadata, ProviderFailure>, Never>

    private struct State {
        var metadata: ProviderMetadata?
        var fetchedAt: Int64 = 0
        var lastTry: Int64?
        var reason = ""
        var fetch: Fetch?
        var keys = KeySetCache()
        var appKeys = KeySetCache()
    }

    package let config: ProviderConfig
    private let http: HTTPClient
    private let state = Mutex(State())

    package init(_ config: ProviderConfig, _ http: HTTPClient) {
        self.config = config
        self.http = http
    }

    /// Where a browser begins a login.
    package func address(_ keys: LoginKeys, at now: Int64) async throws(ProviderFailure) -> String {
        authorization(keys).address(at: try await metadata(at: now), scopes: config.scopes)
    }

    /// Who has come back.
    /// - Parameter parameters: those of the redirect.
    package func person(
        _ keys: LoginKeys, _ parameters: [String: String], at now: Int64
    ) async throws(ProviderFailure) -> ProvenPerson {
        let provider = try await metadata(at: now)
        let login = authorization(keys)
        let request: TokenRequest
        do throws(Refusal) {
            let code = try login.code(in: parameters, from: provider)
            request = try TokenRequest(code: code, of: login, at: provider)
        } catch {
            guard error.field == "error" else { throw .foreign("\(error)") }
            throw parameters["error"] == "access_denied" ? .denied : .unproven("\(error)")
        }
        let answer = try await tokens(request, provider)
        let rules = IDTokenRules(
            issuers: config.issuers, clientID: config.clientID, nonce: keys.nonce, accessToken: answer.accessToken)
        let token = try received(answer.idToken)
        let known = try await keySet(for: token, at: provider.keysEndpoint, ofApps: false, at: now)
        var proof: IDToken
        do throws(TokenError) {
            proof = try IDToken(token, from: known, by: rules, at: now)
        } catch {
            throw .unproven("\(error)")
        }
        if proof.email == nil || proof.name == nil, let endpoint = provider.userInfoEndpoint {
            try await add(endpoint, answer.accessToken, to: &proof)
        }
        return person(proof)
    }

    /// Whose ID token an app has, and until when the token holds.
    package func person(
        idToken: String, nonce: String, at now: Int64
    ) async throws(ProviderFailure) -> (ProvenPerson, end: Int64) {
        let token = try received(idToken)
        let endpoint: String
        if let own = config.appKeys { endpoint = own } else { endpoint = try await metadata(at: now).keysEndpoint }
        let known = try await keySet(for: token, at: endpoint, ofApps: config.appKeys != nil, at: now)
        var problem = "it is for none of the apps that are listed"
        for audience in config.appAudiences {
            // Apps send Facebook the nonce or its digest, as they like.
            for form in [IDTokenRules.NonceForm.plain, .sha256] {
                let rules = IDTokenRules(
                    issuers: config.issuers, clientID: audience, nonce: nonce, nonceForm: form)
                do throws(TokenError) {
                    let proof = try IDToken(token, from: known, by: rules, at: now)
                    return (person(proof), proof.end)
                } catch {
                    if error != .audience { problem = "\(error)" }
                }
            }
        }
        throw .unproven(problem)
    }

    private func person(_ proof: IDToken) -> ProvenPerson {
        ProvenPerson(
            issuer: proof.issuer, subject: proof.subject, email: proof.email,
            isConfirmed: proof.hasVerifiedEmail || config.trustsEmail, name: proof.name, session: proof.sessionID,
            issuedAt: proof.issuedAt)
    }

    /// Who has logged out, as the provider's server says: of this program's pages, or of one of the listed apps.
    package func logOut(_ logoutToken: String, at now: Int64) async throws(ProviderFailure) -> ProvenLogOut {
        let token = try received(logoutToken)
        let endpoint = try await metadata(at: now).keysEndpoint
        let known = try await keySet(for: token, at: endpoint, ofApps: false, at: now)
        var problem = TokenError.audience
        for audience in [config.clientID] + config.appAudiences {
            do throws(TokenError) {
                let proof = try LogoutToken(token, from: known, issuers: config.issuers, clientID: audience, at: now)
                return ProvenLogOut(
                    issuer: proof.issuer, subject: proof.subject, session: proof.sessionID, id: proof.id,
                    issuedAt: proof.issuedAt)
            } catch {
                if error != .audience { problem = error }
            }
        }
        throw .unproven("\(problem)")
    }

    private func authorization(_ keys: LoginKeys) -> Authorization {
        Authorization(
            client: OpenIDClient(id: config.clientID, secret: config.clientSecret, redirectURI: keys.redirectURI),
            state: keys.state, nonce: keys.nonce, verifierBytes: keys.verifierBytes)
    }

    private func received(_ text: String) throws(ProviderFailure) -> ReceivedToken {
        do throws(TokenError) { return try ReceivedToken(text) } catch { throw .unproven("\(error)") }
    }

    private func tokens(
        _ request: TokenRequest, _ provider: ProviderMetadata
    ) async throws(ProviderFailure) -> TokenAnswer {
        var headers = [("Content-Type", TokenRequest.contentType), ("Accept", "application/json")]
        if let authorization = request.authorization { headers.append(("Authorization", authorization)) }
        let answer = try await send(
            HTTPClientRequest(url: provider.tokenEndpoint, headers: headers, body: Array(request.body.utf8)))
        // A refusal has a body that says why; some send it with 403.
        guard [200, 400, 401, 403].contains(answer.status) else { throw .away("the token endpoint: \(answer.status)") }
        do throws(Refusal) {
            return try TokenAnswer(reading: answer.body)
        } catch {
            throw .unproven("the token endpoint: \(error)")
        }
    }

    private func add(
        _ endpoint: String, _ accessToken: String, to proof: inout IDToken
    ) async throws(ProviderFailure) {
        let answer = try await get(endpoint, [("Authorization", "Bearer \(accessToken)")])
        do throws(Refusal) {
            try proof.add(userInfo: answer.body)
        } catch {
            throw .unproven("userinfo: \(error)")
        }
    }
}

// MARK: what is fetched

extension ProviderAgent {
    /// What the provider says of itself; fetched once for all who want to know at the same time.
    private func metadata(at now: Int64) async throws(ProviderFailure) -> ProviderMetadata {
        let step = state.withLock { state -> MetadataStep in
            // A clock that was set back makes it old, too.
            if let metadata = state.metadata, (0..<Self.life).contains(now - state.fetchedAt) {
                return .known(.success(metadata))
            }
            if let fetch = state.fetch { return .wait(fetch) }
            if let last = state.lastTry, (0..<Self.pause).contains(now - last) {
                return .known(state.metadata.map { .success($0) } ?? .failure(.away(state.reason)))
            }
            state.lastTry = now
            let fetch = Task { await self.fetchMetadata(at: now) }
            state.fetch = fetch
            return .wait(fetch)
        }
        switch step {
        case .known(let result): return try result.get()
        case .wait(let fetch): return try await fetch.value.get()
        }
    }

    private enum MetadataStep {
        case known(Result<ProviderMetadata, ProviderFailure>)
        case wait(Fetch)
    }

    private func fetchMetadata(at now: Int64) async -> Result<ProviderMetadata, ProviderFailure> {
        do throws(ProviderFailure) {
            let answer = try await get(ProviderMetadata.address(of: config.issuer))
            let metadata = try read(answer)
            state.withLock { ($0.metadata, $0.fetchedAt, $0.lastTry, $0.fetch) = (metadata, now, nil, nil) }
            return .success(metadata)
        } catch {
            // One that was good is better than none.
            let old = state.withLock { state in
                state.reason = "\(error)"
                state.fetch = nil
                return state.metadata
            }
            return old.map { .success($0) } ?? .failure(error)
        }
    }

    private func read(_ answer: HTTPClientResponse) throws(ProviderFailure) -> ProviderMetadata {
        do throws(Refusal) {
            return try ProviderMetadata(
                reading: answer.body, issuer: config.issuer, instead: config.overrides, allowsHTTP: config.allowsHTTP)
        } catch {
            throw .away("its discovery document: \(error)")
        }
    }

    private func keySet(
        for token: ReceivedToken, at endpoint: String, ofApps: Bool, at now: Int64
    ) async throws(ProviderFailure) -> KeySet {
        let isDue = state.withLock { state in
            ofApps
                ? state.appKeys.shouldFetch(for: token, of: config.issuers, at: now)
                : state.keys.shouldFetch(for: token, of: config.issuers, at: now)
        }
        var failure = ProviderFailure.away("its keys could not be fetched")
        if isDue {
            do throws(ProviderFailure) {
                let answer = try await get(endpoint)
                let fetched: KeySet
                do throws(Refusal) { fetched = try KeySet(reading: answer.body) } catch {
                    throw ProviderFailure.away("its keys: \(error)")
                }
                let control = answer.headers["cache-control"]
                state.withLock { state in
                    if ofApps {
                        state.appKeys.take(fetched, cacheControl: control, at: now)
                    } else {
                        state.keys.take(fetched, cacheControl: control, at: now)
                    }
                }
            } catch {
                failure = error
            }
        }
        if let keys = state.withLock({ ofApps ? $0.appKeys.keys : $0.keys.keys }) { return keys }
        throw failure
    }

    func get(
        _ address: String, _ headers: [(name: String, value: String)] = []
    ) async throws(ProviderFailure) -> HTTPClientResponse {
        let answer = try await send(
            HTTPClientRequest(url: address, headers: headers + [("Accept", "application/json")]))
        guard answer.status == 200 else { throw .away("it answers \(answer.status)") }
        return answer
    }

    func send(_ request: HTTPClientRequest) async throws(ProviderFailure) -> HTTPClientResponse {
        var request = request
        request.timeout = Self.timeout
        request.connectTimeout = Self.connectTimeout
        request.maximumBytes = Self.longestAnswer
        do throws(HTTPClientError) {
            return try await http.send(request)
        } catch {
            throw .away("\(error)")
        }
    }
}
