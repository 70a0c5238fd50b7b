package import Budgets

/// Who makes a call, as an identity says whose signature was verified. A class, since each call refers to it.
package final class ProvenIdentity: Sendable {
    /// The account that the call is made for; nil when a service calls for itself, or a stranger.
    package let account: String?
    /// The service that calls; nil when an account does.
    package let service: String?
    package let roles: Roles
    /// When it stops being valid, in milliseconds since 1970.
    package let expiresUnixMs: Int64
    /// How the account's client has proved whose it is.
    package let credential: Credential
    /// The address that the call came from; nil when it is not known.
    package let client: String?
    /// Whose turn it is when the call waits for something: the account's when it has proved to be that, and else that
    /// of the address, as in open mode and of those who open a link.
    package let sharer: Sharer

    package init(
        account: String?, service: String? = nil, roles: Roles, expiresUnixMs: Int64, credential: Credential = .token,
        client: String? = nil
    ) {
        self.account = account
        self.service = service
        self.roles = roles
        self.expiresUnixMs = expiresUnixMs
        self.credential = credential
        self.client = client
        sharer = Self.sharer(account, service, credential, client.map { ClientKey(text: $0) } ?? .unknown)
    }

    private static func sharer(
        _ account: String?, _ service: String?, _ credential: Credential, _ client: ClientKey
    ) -> Sharer {
        switch (account, service) {
        case (let account?, nil) where credential != .nothing || client == .unknown:
            Sharer(ClientKey(account: account), .known)
        case (_, _?) where client != .unknown: Sharer(client, .known)
        case (let account?, _?): Sharer(ClientKey(account: account), .known)
        case (nil, let service?): Sharer(ClientKey(account: "service " + service), .trusted)
        case (_?, nil): Sharer(client, .known)
        // Who logs in is a stranger still, and so are many behind one address.
        case (nil, nil): Sharer(client, .known)
        }
    }

    /// The session that an account calls with; nil without one.
    package var session: String? {
        if case .session(let id) = credential { return id }
        return nil
    }
}
