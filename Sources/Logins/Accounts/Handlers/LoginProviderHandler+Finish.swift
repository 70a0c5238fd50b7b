package import AccountContracts
import Crypto
import FieldRules
import LoginProviders
package import RPC
import Refusals
import Storage
import Wire

// How a login at a provider ends: with a session, an account that is made, or a link.

extension LoginProviderHandler {
    package func finishLogin(
        _ request: FinishLoginRequest, _ context: CallContext
    ) async throws -> FinishLoginResponse {
        let agent = try agent(request.provider)
        let keys = ProviderLoginKeys(store.key, agent.config.name, request.browser, state: request.state)
        guard let publicURL = providers.publicURL else { throw Refusal("state", Self.unknown) }
        let (now, digests, name) = (store.now, keys.digests, agent.config.name)
        let address = context.identity?.client ?? ""
        let found = try await store.write(context) { transaction throws(SQLError) in
            try transaction.takePending(digests, name, at: now)
        }
        guard let login = found else { throw Refusal("state", Self.unknown) }
        let person: ProvenPerson
        do throws(ProviderFailure) {
            person = try await agent.person(keys.loginKeys(publicURL), Self.parameters(request), at: now / 1000)
        } catch {
            throw converted(error, agent)
        }
        // What ended without a proof goes on to count: each such login is a question to the provider.
        let counted = login.link?.account ?? address
        try await store.write(context) { transaction throws(SQLError) in
            try transaction.succeeded([.ofPendingLogins(counted)])
        }
        if let link = login.link {
            return FinishLoginResponse(linked: try await self.link(person, link, agent, context))
        }
        let visitor = Visitor(address: address, device: login.device)
        return FinishLoginResponse(
            session: try await logIn(person, agent, visitor, context, insteadOf: login.former))
    }

    private static let unknown =
        "this login is not known: it has ended, is older than ten minutes, or was begun in another browser"

    /// As they were in the redirect.
    private static func parameters(_ request: FinishLoginRequest) -> [String: String] {
        ["state": request.state, "code": request.code, "iss": request.issuer, "error": request.error]
            .filter { !$0.value.isEmpty }
    }

    /// Why no session begins.
    private enum NotLoggedIn: Error {
        case locked, unknown, unconfirmed, exists(EmailAddress), tooMany(TooManyAttempts), usedToken, loggedOut

        func error(_ label: String) -> any Error {
            switch self {
            case .locked: RPCError(.unauthenticated, "this account can't be used; ask who runs this Waymark")
            case .unknown:
                RPCError(
                    .notFound,
                    "no account is linked with this identity; log in the way you know, and link it on the account's page"
                )
            case .unconfirmed:
                RPCError(
                    .failedPrecondition,
                    "\(label) confirms no e-mail address of yours; make an account with a password, and link the two")
            case .exists(let email):
                RPCError(
                    .alreadyExists,
                    "there is an account with \(email.text.quoted) already; log in to it, and link \(label) there")
            case .tooMany(let problem): problem
            case .usedToken: RPCError(.unauthenticated, "nonce: this token was used before; get another one")
            case .loggedOut: RPCError(.unauthenticated, "you have logged out at \(label) since; log in there again")
            }
        }
    }

    /// An app's token that counts once.
    struct SingleUse: Sendable {
        let digest: [UInt8]
        /// Milliseconds since 1970.
        let end: Int64
    }

    /// Begins a session for a person; makes an account where the operator wants that.
    func logIn(
        _ person: ProvenPerson, _ agent: ProviderAgent, _ visitor: Visitor, _ context: CallContext,
        insteadOf former: [UInt8] = [], using token: SingleUse? = nil
    ) async throws -> NewSession {
        let (store, now, config) = (store, store.now, agent.config)
        let result = try await store.write(context) {
            transaction throws(SQLError) -> Result<NewSession, NotLoggedIn> in
            if let token, try !transaction.useToken(token.digest, until: token.end) { return .failure(.usedToken) }
            if try transaction.hasLoggedOut(person) { return .failure(.loggedOut) }
            let account: Account
            var kind = SecurityEvent.Kind.loggedIn
            if let identity = try transaction.identity(of: person) {
                guard let found = try transaction.account(identity.account), !found.isLocked else {
                    return .failure(.locked)
                }
                account = found
                try transaction.use(person, at: now)
            } else {
                guard config.signsUp else { return .failure(.unknown) }
                guard let email = person.confirmedEmail.flatMap({ try? EmailAddress($0) }) else {
                    return .failure(.unconfirmed)
                }
                // The address alone is no proof: the account's owner has to say that the two belong together.
                if try transaction.account(email) != nil { return .failure(.exists(email)) }
                if let wait = try transaction.attempt([.ofSignUps(visitor.address)], at: now) {
                    return .failure(.tooMany(TooManyAttempts(wait: wait)))
                }
                account = Account(
                    id: RandomID.make(), email: email.text, firstName: Self.firstName(person),
                    roles: Roles.user.rawValue,
                    createdMilliseconds: now)
                kind = .signedUp
                // No password is right.
                try transaction.insert(account, email, password: "")
                try transaction.insert(StoredIdentity(account.id, config, person, at: now), of: person)
            }
            let draft = SessionDraft(account.id, visitor, store, kind)
            try transaction.begin(draft)
            try transaction.bind(session: draft.secret.digest, to: person)
            if !former.isEmpty { _ = try transaction.end(former) }
            return .success(NewSession(draft, account))
        }
        do throws(NotLoggedIn) { return try result.get() } catch { throw error.error(config.label) }
    }

    /// Links an identity to the account of a session that is still there.
    private func link(
        _ person: ProvenPerson, _ link: PendingLogin.Link, _ agent: ProviderAgent, _ context: CallContext
    ) async throws -> LinkedIdentity {
        let (now, config) = (store.now, agent.config)
        let new = StoredIdentity(link.account, config, person, at: now)
        let linked = try await store.write(context) {
            transaction throws(SQLError) -> Result<StoredIdentity, RPCError> in
            guard let account = try transaction.account(link.account), !account.isLocked,
                try transaction.sessions(of: link.account, at: now).contains(where: { $0.id == link.session })
            else { return .failure(RPCError(.unauthenticated, "the session has ended; log in again")) }
            if let known = try transaction.identity(of: person) {
                guard known.account == link.account else {
                    return .failure(
                        RPCError(.alreadyExists, "this identity at \(config.label) belongs to another account already"))
                }
                return .success(known)
            }
            guard try transaction.identities(of: link.account).count < Transaction.maximumIdentities else {
                return .failure(
                    RPCError(
                        .failedPrecondition, "an account has at most \(Transaction.maximumIdentities) linked identities"
                    ))
            }
            try transaction.insert(new, of: person)
            try transaction.record(
                SecurityEvent(
                    id: RandomID.make(), time: now, kind: .identityLinked, account: link.account, device: config.name))
            return .success(new)
        }
        return LinkedIdentity(try linked.get(), providers)
    }

    private static func firstName(_ person: ProvenPerson) -> String {
        let isAddress = person.name == person.confirmedEmail
        return isAddress ? "" : FieldRule.line(person.name, length: SignUpRequest.firstNameLength)
    }
}

extension StoredIdentity {
    fileprivate init(_ account: String, _ config: ProviderConfig, _ person: ProvenPerson, at time: Int64) {
        self.init(
            id: RandomID.make(), account: account, provider: config.name, name: person.name, linkedMilliseconds: time,
            usedMilliseconds: time)
    }
}
