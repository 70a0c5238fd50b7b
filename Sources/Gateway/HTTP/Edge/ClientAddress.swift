import Budgets
import HTTP

/// Networks as they are written: "10.0.0.0/8", "::1".
struct AddressRange: Sendable, Equatable {
    private let prefix: [UInt8]
    private let bits: Int

    /// Nil for anything that is no address or network.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = ClientKey.bytes(String(first)) else { return nil }
        guard parts.count == 2 else {
            (prefix, bits) = (bytes, bytes.count * 8)
            return
        }
        guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), var bits = Int(parts[1]) else { return nil }
        // The bits of an IPv4 network that is written as IPv6 count from where IPv6 begins.
        if bytes.count == 4, first.contains(":") { bits -= 96 }
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

/// Who a request comes from, when proxies stand between.
struct ClientAddress: Sendable {
    private let trusted: [AddressRange]

    /// - Parameter trusted: proxies whose `X-Forwarded-For` is believed.
    init(trusting trusted: [AddressRange]) { self.trusted = trusted }

    /// Who shares what there is: whom the proxies tell, else whoever is connected.
    func key(of request: HTTPRequest) -> ClientKey {
        isTrusted(request.peer) ? ClientKey(of(request)) : request.client
    }

    /// The last address that no trusted proxy has; each proxy adds to the list whom it was asked by.
    func of(_ request: HTTPRequest) -> String {
        var address = request.peer
        guard isTrusted(address) else { return address }
        let hops = request.headers.values("x-forwarded-for").flatMap { $0.split(separator: ",") }
        for hop in hops.reversed() {
            let text = String(hop.filter { $0 != " " })
            guard ClientKey.bytes(text) != nil else { break }
            address = text
            guard isTrusted(text) else { break }
        }
        return address
    }

    func isTrusted(_ address: String) -> Bool { trusted.contains { $0.contains(address) } }
}
