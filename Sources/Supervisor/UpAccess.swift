/// Who is let in at a gateway that `up` starts, and by which addresses it is reached.
package struct UpAccess: Sendable {
    /// A file with tokens; nil when whoever reaches the gateway is let in.
    package let tokenFile: String?
    /// Whether other machines reach it.
    package let isForOthers: Bool

    /// Where nobody but this machine comes, everybody is let in. Elsewhere, and without `--open`, a token is needed:
    /// one that is given, or one that is made here and kept for the next start. Blocks.
    package init(host: String, tokenFile: String?, isOpen: Bool, folder: UpFolder) throws {
        isForOthers = !HostAddresses.isLoopback(host)
        if let tokenFile {
            self.tokenFile = tokenFile
        } else if isOpen || !isForOthers {
            self.tokenFile = nil
        } else {
            _ = try folder.token.makeIfMissing()
            self.tokenFile = folder.token.path
        }
    }

    /// By which addresses others reach what listens on `address`. Somebody who listens everywhere is reached by each of
    /// the machine's addresses.
    package static func reached(_ address: String) -> [String] {
        reached(address, interfaces: HostAddresses.ofInterfaces)
    }

    static func reached(_ address: String, interfaces: (String) -> [String]) -> [String] {
        guard let (host, port) = parts(of: address) else { return [address] }
        if HostAddresses.isLoopback(host) { return [] }
        guard HostAddresses.isEverywhere(host) else { return [address] }
        return interfaces(host).map { $0.contains(":") ? "[\($0)]:\(port)" : "\($0):\(port)" }
    }

    /// By which address this machine itself reaches what listens on `address`.
    package static func reachedHere(_ address: String) -> String {
        guard let (host, port) = parts(of: address), HostAddresses.isEverywhere(host) else { return address }
        return "127.0.0.1:\(port)"
    }

    private static func parts(of address: String) -> (host: String, port: Substring)? {
        guard let colon = address.lastIndex(of: ":") else { return nil }
        let host = address[..<colon].filter { $0 != "[" && $0 != "]" }
        return (host, address[address.index(after: colon)...])
    }
}
