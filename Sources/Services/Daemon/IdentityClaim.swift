package import Budgets
package import RPC
import Wire

/// In whose name an identity is signed.
package enum IdentityClaim: Hashable, Sendable {
    /// A client that the gateway knows as an account, with some of its roles.
    case account(String, Roles, by: Credential = .token)
    /// A service, for itself or in the name of an account.
    case service(String, for: String?)
    /// A client that calls what anyone may, by its address.
    case stranger(ClientKey)

    package var roles: Roles {
        switch self {
        case .account(_, let roles, _): roles
        case .service: .ofServices
        case .stranger: []
        }
    }

    /// What is signed of a call from this address.
    func identity(from client: ClientKey, expires: Int64) -> Identity {
        var identity = unaddressed(expires: expires)
        if identity.client.isEmpty { identity.client = client.text }
        return identity
    }

    private func unaddressed(expires: Int64) -> Identity {
        switch self {
        case .account(let account, let roles, let credential):
            Identity(account: account, expiresUnixMs: expires, kind: .account, roles: roles.list, by: credential)
        case .service(let service, let account):
            Identity(
                account: account ?? "", expiresUnixMs: expires, kind: .service, service: service, roles: roles.list)
        case .stranger(let client): Identity(expiresUnixMs: expires, kind: .stranger, client: client.text)
        }
    }
}

extension ProvenIdentity {
    /// Reads what was signed; nil when it names no caller.
    convenience init?(_ identity: Identity) {
        let account = identity.account.isEmpty ? nil : identity.account
        let service = identity.service.isEmpty ? nil : identity.service
        let roles = Roles(identity.roles)
        let client = identity.client.isEmpty ? nil : identity.client
        switch identity.kind {
        case .account where account != nil:
            // Whatever the list says: no account does what is for services.
            self.init(
                account: account, roles: roles.subtracting(.service), expiresUnixMs: identity.expiresUnixMs,
                credential: identity.credential, client: client)
        case .service where service != nil:
            self.init(
                account: account, service: service, roles: roles, expiresUnixMs: identity.expiresUnixMs, client: client)
        case .stranger:
            self.init(account: nil, roles: [], expiresUnixMs: identity.expiresUnixMs, client: identity.client)
        case .unspecified where account != nil:
            // From before there were roles. While a system is upgraded its older programs go on as they did. They don't
            // say whether the client has shown anything.
            self.init(
                account: account, roles: .ofAccounts.union(.ofServices), expiresUnixMs: identity.expiresUnixMs,
                credential: .nothing)
        default: return nil
        }
    }
}

extension Identity {
    fileprivate init(account: String, expiresUnixMs: Int64, kind: CallerKind, roles: [Role], by credential: Credential)
    {
        self.init(account: account, expiresUnixMs: expiresUnixMs, kind: kind, roles: roles)
        switch credential {
        case .nothing: open = true
        case .token: break
        case .session(let id): session = id
        case .key(let id, let isReadOnly, let networks):
            (session, apiKey, readOnly, self.networks) = (id, true, isReadOnly, networks.sorted())
        }
    }

    fileprivate var credential: Credential {
        if open { return .nothing }
        // Whatever else is said, what only reads does only that.
        if apiKey || readOnly || !networks.isEmpty {
            return .key(session, isReadOnly: readOnly, networks: Set(networks))
        }
        return session.isEmpty ? .token : .session(session)
    }
}
