package import AccountContracts
package import Daemon
import LoginProviders
package import RPC
import Refusals
import Storage
import Wire

/// Answers calls about logins at providers, and about the identities of the caller's account.
package struct LoginProviderHandler: LoginProviderServiceHandler {
    let store: AccountStore
    let providers: ProviderDirectory
    private let log: Log?

    package init(_ store: AccountStore, _ providers: ProviderDirectory, log: Log? = nil) {
        self.store = store
        self.providers = providers
        self.log = log
    }

    package func listProviders(
        _ request: ListProvidersRequest, _ context: CallContext
    ) async throws -> ListProvidersResponse {
        ListProvidersResponse(
            providers: providers.agents.map { LoginProvider(name: $0.config.name, label: $0.config.label) },
            passwordLogin: store.takesPasswords)
    }

    package func listIdentities(
        _ request: ListIdentitiesRequest, _ context: CallContext
    ) async throws -> ListIdentitiesResponse {
        let account = try context.ownersAccount
        let identities = try await store.read(context) { transaction throws(SQLError) in
            try transaction.identities(of: account)
        }
        return ListIdentitiesResponse(identities: identities.map { LinkedIdentity($0, providers) })
    }

    package func beginLogin(_ request: BeginLoginRequest, _ context: CallContext) async throws -> BeginLoginResponse {
        let agent = try agent(request.provider)
        let keys = ProviderLoginKeys(store.key, agent.config.name, request.browser)
        guard [0, 32].contains(request.formerSession.count) else {
            throw Refusal("former_session", request.formerSession.count, "bytes", allowed: "none or 32 are")
        }
        let visitor = Visitor(context, device: request.device)
        let address = try await address(agent, keys)
        let pending = PendingLogin(
            provider: agent.config.name, link: nil, device: visitor.device, former: request.formerSession,
            expiresMilliseconds: store.now + PendingLogin.life)
        try await begin(pending, keys, countedFor: visitor.address, context)
        return BeginLoginResponse(address: address)
    }

    package func beginLink(_ request: BeginLinkRequest, _ context: CallContext) async throws -> BeginLinkResponse {
        let account = try context.ownersAccount
        let agent = try agent(request.provider)
        let keys = ProviderLoginKeys(store.key, agent.config.name, request.browser)
        let session = try await store.freshSession(account, context)
        let address = try await address(agent, keys)
        let pending = PendingLogin(
            provider: agent.config.name, link: PendingLogin.Link(account: account, session: session), device: "",
            former: [], expiresMilliseconds: store.now + PendingLogin.life)
        try await begin(pending, keys, countedFor: account, context)
        return BeginLinkResponse(address: address)
    }

    package func unlink(_ request: UnlinkRequest, _ context: CallContext) async throws -> UnlinkResponse {
        let account = try context.ownersAccount
        _ = try await store.freshSession(account, context)
        let (takesPasswords, now, configured) = (store.takesPasswords, store.now, providers.names)
        let isUnlinked = try await store.write(context) { transaction throws(SQLError) -> Bool? in
            let all = try transaction.identities(of: account)
            guard let identity = all.first(where: { $0.id == request.id }) else { return false }
            // One of a provider that is no longer there lets no one in.
            let others = all.filter { $0.id != identity.id && configured.contains($0.provider) }
            let hasPassword = try transaction.passwordHash(of: account).map { !$0.isEmpty } ?? false
            let hasPasskey = try !transaction.passkeys(of: account).isEmpty
            guard hasPassword && takesPasswords || hasPasskey || !others.isEmpty else { return nil }
            try transaction.removeIdentity(identity.id, of: account)
            try transaction.record(
                SecurityEvent(
                    id: RandomID.make(), time: now, kind: .identityUnlinked, account: account, device: identity.provider
                ))
            return true
        }
        guard let isUnlinked else {
            throw RPCError(
                .failedPrecondition,
                "this is the last way to log in to the account; set a password, add a passkey or link another identity first"
            )
        }
        return UnlinkResponse(unlinked: isUnlinked)
    }

    /// The provider of a request.
    func agent(_ name: String) throws -> ProviderAgent {
        let names = providers.names
        guard let agent = providers.agents.first(where: { $0.config.name == name }) else {
            let allowed = names.isEmpty ? "there is none here" : "\(names.sorted().joined(separator: ", ")) can be used"
            throw Refusal("provider", text: name, allowed: allowed)
        }
        return agent
    }

    private func address(_ agent: ProviderAgent, _ keys: ProviderLoginKeys) async throws -> String {
        guard let publicURL = providers.publicURL else { throw RPCError.noPublicURL }
        do throws(ProviderFailure) {
            return try await agent.address(keys.loginKeys(publicURL), at: store.now / 1000)
        } catch {
            throw converted(error, agent)
        }
    }

    private func begin(
        _ login: PendingLogin, _ keys: ProviderLoginKeys, countedFor name: String, _ context: CallContext
    ) async throws {
        let (now, digests) = (store.now, keys.digests)
        let wait = try await store.write(context) { transaction throws(SQLError) -> Int64? in
            if let wait = try transaction.attempt([.ofPendingLogins(name)], at: now) { return wait }
            try transaction.insert(login, digests)
            return nil
        }
        if let wait { throw TooManyAttempts(wait: wait) }
    }

    /// What the caller learns; the operator learns why a provider can't be used.
    func converted(_ failure: ProviderFailure, _ agent: ProviderAgent) -> RPCError {
        let label = agent.config.label
        switch failure {
        case .away(let reason):
            log?.warning("a login provider can't be used", ["provider": agent.config.name, "reason": reason])
            return .providerIsAway(label)
        case .unproven(let reason):
            log?.warning("a login was not proven", ["provider": agent.config.name, "reason": reason])
            return RPCError(.unauthenticated, "what \(label) says can't be believed: \(reason)")
        case .denied: return RPCError(.permissionDenied, "\(label) was not allowed to say who you are")
        case .foreign(let reason): return Refusal("state", "this is not the answer to this login: \(reason)").rpcError
        }
    }
}

extension RPCError {
    fileprivate static let noPublicURL = RPCError(
        .failedPrecondition, "login providers need --public-url: without it they don't know where to come back to")

    static func providerIsAway(_ label: String) -> RPCError {
        RPCError(.unavailable, "\(label) does not answer as it should; try again later")
    }
}

extension AccountStore {
    /// Refuses what needs passwords where there are none.
    func checkPasswordsAreTaken() throws(RPCError) {
        guard !takesPasswords else { return }
        throw RPCError(.failedPrecondition, "passwords are not used here; log in with a login provider")
    }
}

extension LinkedIdentity {
    init(_ identity: StoredIdentity, _ providers: ProviderDirectory) {
        let config = providers.agents.first { $0.config.name == identity.provider }?.config
        self.init(
            id: identity.id, provider: identity.provider, label: config?.label ?? identity.provider,
            name: identity.name, linkTime: TimestampMessage(unixMilliseconds: identity.linkedMilliseconds),
            useTime: TimestampMessage(unixMilliseconds: identity.usedMilliseconds))
    }
}
