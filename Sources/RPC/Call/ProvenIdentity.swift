/// Who makes a call, as an identity says whose signature was verified. A class, since each call refers to it.
package final class ProvenIdentity: Sendable {
    /// The account that the call is made for; nil when a service calls for itself, or a stranger.
    package let account: String?
    /// The service that calls; nil when an account does.
    package let service: String?
    package let roles: Roles
    /// When it stops being valid, in milliseconds since 1970.
    package let expiresUnixMs: Int64
    /// What the account's client has shown.
    package let credential: Credential
    /// The address of a stranger; nil for others.
    package let client: String?

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
    }

    /// The session that an account calls with; nil without one.
    package var session: String? {
        if case .session(let id) = credential { return id }
        return nil
    }
}
