import Budgets
import Bytes
import HTTP

/// Networks in text form: "10.0.0.0/8", "::1".
struct AddressRange: Sendable, Equatable {
    private let prefix: [UInt8]
    private let bits: Int

    /// Nil for a text that is not an address or network.
    init?(_ text: String) {
        let parts = text.split(at: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = ClientKey.bytes(String(first)) else { return nil }
        guard parts.count == 2 else {
            (prefix, bits) = (bytes, bytes.count * 8)
            return
        }
        guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), var bits = Int(parts[1]) else { return nil }
        // The prefix of an IPv4 network written as IPv6 is counted from the start of the IPv6 address.
        if bytes.count == 4, first.holds(":") { bits -= 96 }
        guard (0...bytes.count * 8).contains(bits) else { return nil }
        (prefix, self.bits) = (bytes, bits)
    }

    func contains(_ address: String) -> Bool {
        guard let bytes = ClientKey.bytes(address), bytes.count == prefix.count else { return false }
        let whole = bits / 8
        guard bytes.prefix(whole) == prefix.prefix(whole) else { return false }
        guard bits % 8 > 0 else { return true }
        let mask = UInt8.max << UInt8(8 - bits % 8)
        return zip(bytes, prefix).dropFirst(whole).prefix(1).allSatisfy { $0 & mask == $1 & mask }
    }
}

/// The client that a request comes from, when there are proxies in between.
struct ClientAddress: Sendable {
    private let trusted: [AddressRange]

    /// - Parameter trusted: proxies whose `X-Forwarded-For` is believed.
    init(trusting trusted: [AddressRange]) { self.trusted = trusted }

    /// The client for limits: the one that trusted proxies name, else the peer of the connection.
    func key(of request: HTTPRequest) -> ClientKey {
        isTrusted(request.peer) ? ClientKey(of(request)) : request.client
    }

    /// The last address that is not a trusted proxy's; each proxy appends the address that it was called from.
    func of(_ request: HTTPRequest) -> String {
        var address = request.peer
        guard isTrusted(address) else { return address }
        let hops = request.headers.values("x-forwarded-for").flatMap { $0.split(at: ",") }
        for hop in hops.reversed() {
            let text = hop.without(" ")
            guard ClientKey.bytes(text) != nil else { break }
            address = text
            guard isTrusted(text) else { break }
        }
        return address
    }

    func isTrusted(_ address: String) -> Bool { trusted.contains { $0.contains(address) } }
}
