internal import Bytes
internal import OpenIDConnect

/// One provider, as the operator has described it.
package struct ProviderConfig: Sendable {
    /// Names it in calls and addresses: lower-case letters, digits and hyphens.
    package let name: String
    /// What people call it.
    package let label: String
    /// The forms that tokens may name it by; the first one names its identities.
    let issuers: [String]
    let clientID: String
    let clientSecret: String?
    let scopes: [String]
    let overrides: ProviderMetadata.Overrides
    /// Ids of apps whose ID tokens log in, besides this program's own.
    let appAudiences: [String]
    /// Where the keys of apps' ID tokens are; nil where those of all others are.
    let appKeys: String?
    /// Whether a person without an account gets one.
    package let signsUp: Bool
    /// Whether e-mail addresses count as confirmed although the provider does not say so.
    let trustsEmail: Bool
    /// Facebook's Graph, for its older tokens; nil for all others.
    let graph: String?

    /// Never empty.
    var issuer: String { issuers.first ?? "" }
    /// Servers of this machine may be asked in plain text.
    var allowsHTTP: Bool { issuer.begins(with: "http://") }
}

/// A person whom a provider has vouched for.
package struct ProvenPerson: Sendable, Equatable {
    /// With `subject` the key of the identity; nothing else is.
    package let issuer: String
    package let subject: String
    /// Nil when there is none, or when it may be someone else's.
    package let confirmedEmail: String?
    /// At most 255 bytes; empty when it is not known.
    package let name: String
    /// The session at the provider, which a log-out may name; nil when it does not say.
    package let session: String?
    /// When the provider said so, in seconds since 1970; nil when it does not say.
    package let issuedAt: Int64?

    init(
        issuer: String, subject: String, email: String?, isConfirmed: Bool, name: String?, session: String? = nil,
        issuedAt: Int64? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.session = session
        self.issuedAt = issuedAt
        confirmedEmail = isConfirmed ? email : nil
        self.name = name ?? email ?? ""
    }
}

/// A provider's word that a person has logged out there.
package struct ProvenLogOut: Sendable, Equatable {
    package let issuer: String
    /// One of the two is there. With `session` it is of that one alone.
    package let subject: String?
    package let session: String?
    /// Names this message.
    package let id: String
    /// Seconds since 1970.
    package let issuedAt: Int64
}

/// Why no one was vouched for.
package enum ProviderFailure: Error, Equatable, CustomStringConvertible {
    /// It does not answer, or not as it should: for the operator.
    case away(String)
    /// Its answer can't be believed.
    case unproven(String)
    /// The person did not agree.
    case denied
    /// The redirect is not the one of this login.
    case foreign(String)

    package var description: String {
        switch self {
        case .away(let reason), .unproven(let reason), .foreign(let reason): reason
        case .denied: "the person did not agree"
        }
    }
}
