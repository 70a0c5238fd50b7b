import Bytes
package import Daemon
import Passkeys
import RPC

/// The address that passkeys are for, or why there are none.
///
/// A passkey is bound to a domain for good, and browsers show it to pages of that domain alone. So it comes from what
/// the operator says, never from a request.
package enum PasskeySite: Sendable {
    case on(id: String, origin: String)
    case off(problem: String)

    /// - Parameter url: how browsers reach the gateway; nil when that is not known.
    package init(_ url: WebOrigin?) {
        guard let url else {
            self = .off(problem: "pin-service does not know how browsers reach the map: it has no --public-url")
            return
        }
        if let problem = Self.problem(of: url) {
            self = .off(problem: "--public-url is \(url.text): \(problem)")
        } else {
            self = .on(id: url.name, origin: Self.withoutDefaultPort(url))
        }
    }

    /// The name of a host that browsers make no passkey for, and why.
    private static func problem(of url: WebOrigin) -> String? {
        let last = url.name.split(at: ".", omittingEmptySubsequences: false).last ?? ""
        // The last label of an IPv4 address is a number, and of no domain.
        if url.name.holds(":") || !last.isEmpty && last.unicodeScalars.allSatisfy(\.isNumeric) {
            return "browsers make passkeys for a name, not for the address of a machine"
        }
        if last.isEmpty || !url.name.utf8.allSatisfy(isPlain) {
            return "a name of ASCII letters, digits and hyphens is needed; others are written as xn--…"
        }
        return url.isSecure || url.name == "localhost" ? nil : "browsers make passkeys over https alone"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// As browsers write it.
    private static func withoutDefaultPort(_ url: WebOrigin) -> String {
        let port = url.isSecure ? ":443" : ":80"
        return url.text.ends(with: port) ? String(url.text.dropLast(port.utf8.count)) : url.text
    }

    var relyingParty: RelyingParty {
        get throws(RPCError) { try RelyingParty(id: id, origins: [origin]) }
    }

    /// The domain.
    var id: String {
        get throws(RPCError) { try values.id }
    }

    private var origin: String {
        get throws(RPCError) { try values.origin }
    }

    private var values: (id: String, origin: String) {
        get throws(RPCError) {
            switch self {
            case .on(let id, let origin): return (id, origin)
            case .off(let problem): throw RPCError(.failedPrecondition, "there are no passkeys here: \(problem)")
            }
        }
    }
}
