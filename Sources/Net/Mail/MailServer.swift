import Bytes
package import EventLoops

/// The server that takes messages on from us, and how it is spoken to.
package struct MailServer: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    package let endpoint: Endpoint
    package let encryption: MailEncryption
    /// The file of the authorities (PEM) that are believed instead of the system's.
    package let authorities: String?
    package let logIn: MailLogIn?

    /// - Parameters:
    ///   - url: "smtp://mail.example.org:587", or smtps:// for TLS from the start. Without a port 587 and 465 are meant.
    ///   - isPlain: whether smtp:// goes without TLS. It does so to this machine in any case, unless there are
    ///     `authorities`.
    package init(
        _ url: String, isPlain: Bool = false, authorities: String? = nil, logIn: MailLogIn? = nil
    ) throws(MailServerProblem) {
        let scheme = url.until(":").lowercased()
        guard ["smtp", "smtps"].contains(scheme), url.dropFirst(scheme.count).begins(with: "://"),
            let endpoint = Endpoint(Self.host(url, scheme), defaultPort: scheme == "smtps" ? 465 : 587),
            endpoint.port > 0, !endpoint.host.isEmpty, endpoint.host.utf8.allSatisfy(Self.isOfHost)
        else { throw MailServerProblem(description: "smtp://HOST:PORT or smtps://HOST:PORT is needed") }
        if scheme == "smtps" {
            guard !isPlain else { throw MailServerProblem(description: "smtps:// is never without TLS") }
            encryption = .fromStart
        } else if isPlain || (endpoint.isLoopback && authorities == nil) {
            encryption = .none
        } else {
            encryption = .startTLS
        }
        self.endpoint = endpoint
        self.authorities = authorities
        self.logIn = logIn
    }

    private static func host(_ url: String, _ scheme: String) -> String {
        let rest = url.dropFirst(scheme.count + 3)
        return String(rest.ends(with: "/") ? rest.dropLast() : rest)
    }

    /// Letters, digits, and what is in addresses; nothing that begins another part of a URL.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// Without the password.
    package var description: String { "\(encryption == .fromStart ? "smtps" : "smtp")://\(endpoint)" }
    package var debugDescription: String { description }
}

/// Whether what is said can be read on the way. A server's offer never decides it.
package enum MailEncryption: Sendable, Equatable {
    /// TLS from the first byte.
    case fromStart
    /// STARTTLS, without which nothing is sent.
    case startTLS
    case none
}

/// Who logs in to a mail server.
package struct MailLogIn: Sendable, Equatable {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

/// Why an address of a mail server is none.
package struct MailServerProblem: Error, CustomStringConvertible {
    package let description: String
}
