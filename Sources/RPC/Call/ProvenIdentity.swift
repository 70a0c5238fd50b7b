/// Who makes a call, as an identity says whose signature was verified. A class, since each call refers to it.
package final class ProvenIdentity: Sendable {
    /// The account that the call is made for; nil when a service calls for itself.
    package let account: String?
    /// The service that calls; nil when an account does.
    package let service: String?
    package let roles: Roles
    /// The session that an account calls with; nil for a token of the deployment and in open mode.
    package let session: String?
    /// The address of a stranger; nil for others.
    package let client: String?
    /// Whether an account's client has shown neither a token nor a session: open mode.
    package let isOpen: Bool
    /// When it stops being valid, in milliseconds since 1970.
    package let expiresUnixMs: Int64

    package init(
        account: String?, service: String? = nil, roles: Roles, expiresUnixMs: Int64, session: String? = nil,
        client: String? = nil, isOpen: Bool = false
    ) {
        self.account = account
        self.session = session
        self.client = client
        self.isOpen = isOpen
        self.service = service
        self.roles = roles
        self.expiresUnixMs = expiresUnixMs
    }
}
