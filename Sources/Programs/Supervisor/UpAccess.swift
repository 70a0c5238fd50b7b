import Bytes
import EventLoops

/// Who is let in at a gateway that `up` starts, and at which addresses it is reached.
package struct UpAccess: Sendable {
    /// A file with tokens; nil when every client that reaches the gateway is let in.
    package let tokenFile: String?
    /// Whether other machines reach it.
    package let isForOthers: Bool

    /// Where only this machine reaches the gateway, everyone is let in. Elsewhere, without `--open`, a token is needed:
    /// a given one, or one that is made here and kept for the next start. Blocks.
    package init(host: String, tokenFile: String?, isOpen: Bool, folder: UpFolder) throws {
        isForOthers = !Endpoint.isLoopback(host)
        if let tokenFile {
            self.tokenFile = tokenFile
        } else if isOpen || !isForOthers {
            self.tokenFile = nil
        } else {
            _ = try folder.token.makeIfMissing()
            self.tokenFile = folder.token.path
        }
    }

    /// The addresses at which others reach what listens on `address`. A service that listens on all addresses is
    /// reached at each of the machine's.
    package static func reached(_ address: String) -> [String] {
        reached(address, interfaces: HostAddresses.ofInterfaces)
    }

    static func reached(_ address: String, interfaces: (String) -> [String]) -> [String] {
        guard let (host, port) = parts(of: address) else { return [address] }
        if Endpoint.isLoopback(host) { return [] }
        guard HostAddresses.isEverywhere(host) else { return [address] }
        return interfaces(host).map { $0.holds(":") ? "[\($0)]:\(port)" : "\($0):\(port)" }
    }

    /// The address at which this machine itself reaches what listens on `address`.
    package static func reachedHere(_ address: String) -> String {
        guard let (host, port) = parts(of: address), HostAddresses.isEverywhere(host) else { return address }
        return "127.0.0.1:\(port)"
    }

    private static func parts(of address: String) -> (host: String, port: Substring)? {
        address.halves(atLast: ":").map { ($0.without("[", "]"), $1) }
    }
}
