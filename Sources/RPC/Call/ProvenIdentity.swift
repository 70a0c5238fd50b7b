/// Who makes a call, as an identity says whose signature was verified. A class, since each call refers to it.
package final class ProvenIdentity: Sendable {
    /// The account that the call is made for; nil when a service calls for itself.
    package let account: String?
    /// The service that calls; nil when an account does.
    package let service: String?
    package let roles: Roles
    /// When it stops being valid, in milliseconds since 1970.
    package let expiresUnixMs: Int64

    package init(account: String?, service: String? = nil, roles: Roles, expiresUnixMs: Int64) {
        self.account = account
        self.service = service
        self.roles = roles
        self.expiresUnixMs = expiresUnixMs
    }
}
