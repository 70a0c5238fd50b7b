internal import Glibc
internal import Synchronization

/// What counts as one client: an IPv4 address, or an IPv6 network of 64 bits, since every user of IPv6 has at least one
/// of those (RFC 6177). IPv4 that is written as IPv6 is IPv4. Behind the gateway, an account.
package struct ClientKey: Hashable, Sendable {
    private enum Kind: UInt8 { case ipv4, ipv6, account, process }

    private let network: UInt64
    private let kind: Kind

    private init(network: UInt64, _ kind: Kind) {
        self.network = network
        self.kind = kind
    }

    /// For peers without an address, or with one that can't be parsed: all of these are one client.
    package static let unknown = ClientKey(network: 0, .ipv4)
    /// This process, which works for itself.
    package static let process = ClientKey(network: 0, .process)

    /// An account, wherever it calls from. Accounts have ids that no user can choose; within one process two of them
    /// are the same client by a chance of 2⁻⁶⁴.
    package init(account: String) {
        var hasher = Hasher()
        hasher.combine(account)
        self.init(network: UInt64(truncatingIfNeeded: hasher.finalize()), .account)
    }

    /// The client at an address such as "192.0.2.1" or "2001:db8::1".
    package init(_ address: String) {
        guard let bytes = Self.bytes(address) else {
            self = .unknown
            return
        }
        let isIPv6 = bytes.count == 16
        network = bytes.prefix(isIPv6 ? 8 : 4).reduce(0) { $0 << 8 | UInt64($1) }
        kind = isIPv6 ? .ipv6 : .ipv4
    }

    /// The client whose `text` this is.
    package init(text: String) {
        let network = "::/64"
        self.init(text.utf8.reversed().starts(with: network.utf8.reversed()) ? String(text.dropLast(3)) : text)
    }

    /// "192.0.2.1", or "2001:db8:0:1::/64"; empty when it is no address.
    package var text: String {
        if self == .unknown || kind == .account || kind == .process { return "" }
        if kind == .ipv4 { return (0..<4).reversed().map { "\(network >> ($0 * 8) & 0xff)" }.joined(separator: ".") }
        return (0..<4).reversed().map { String(network >> ($0 * 16) & 0xffff, radix: 16) }.joined(separator: ":")
            + "::/64"
    }

    /// An address as 4 or 16 bytes; nil when it is not an address.
    package static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if unsafe text.withCString({ unsafe inet_pton(AF_INET, $0, &four) }) == 1 {
            return unsafe withUnsafeBytes(of: four) { unsafe Array($0) }
        }
        var six = in6_addr()
        guard unsafe text.withCString({ unsafe inet_pton(AF_INET6, $0, &six) }) == 1 else { return nil }
        let bytes = unsafe withUnsafeBytes(of: six) { unsafe Array($0) }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]
        return Array(bytes.prefix(12)) == mapped ? Array(bytes.suffix(4)) : bytes
    }
}

/// Counts something that clients have open, connections or watches, and divides the limit among them.
package final class ClientCounter: Sendable {
    private let shares: Mutex<FairShares>

    /// - Parameter limit: how many all clients together may have.
    package init(limit: Int) { shares = Mutex(FairShares(limit: limit)) }

    /// Counts one more for a client; false when it already has its share.
    package func open(_ client: ClientKey, _ standing: ClientStanding = .known) -> Bool {
        shares.withLock { $0.take(1, for: client, standing) }
    }

    /// Counts one less.
    package func close(_ client: ClientKey) { shares.withLock { $0.give(1, of: client) } }

    /// How many are open.
    package var count: Int { shares.withLock { $0.taken } }
}
