internal import Glibc

/// A host and its port, as a request's Host and a URL have them: "map.example.org:8080" (RFC 3986, 3.2.2 and 3.2.3).
/// What another reader could take for the name of another host is none.
package struct Authority: Sendable, Equatable {
    /// In lower case; an IPv6 address without its brackets.
    package let host: String
    /// Whether the host is an IP address and not a name.
    package let isAddress: Bool
    /// As written: "8080"; nil when there is none.
    package let port: String?

    /// The longest name of a host, in bytes.
    private static let longest = 255

    /// Nil for a text that is none.
    package init?(_ text: String) { self.init(text.utf8Span.span) }

    /// The same of bytes.
    package init?(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return nil }
        let isBracketed = bytes[0] == UInt8(ascii: "[")
        guard let end = isBracketed ? Self.endOfBrackets(bytes) : Self.endOfName(bytes),
            let port = Self.port(bytes.extracting(end...))
        else { return nil }
        let name = isBracketed ? bytes.extracting(1..<(end - 1)) : bytes.extracting(..<end)
        let host = Self.lower(name)
        if isBracketed {
            guard Self.isAddress(host, AF_INET6) else { return nil }
            isAddress = true
        } else {
            isAddress = Self.isAddress(host, AF_INET)
        }
        self.host = host
        self.port = port.isEmpty ? nil : port
    }

    /// Whether no one else can make it lead here: an address can't be made to resolve elsewhere; a name may belong to
    /// anyone.
    package var isSafe: Bool { isAddress || host == "localhost" }

    /// As it is written in a URL.
    package var text: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// Behind the bracket that ends an address.
    private static func endOfBrackets(_ bytes: Span<UInt8>) -> Int? {
        for index in bytes.indices where bytes[index] == UInt8(ascii: "]") { return index + 1 }
        return nil
    }

    /// Where a name ends: at the colon before its port. Nil when a byte can't be in a name.
    private static func endOfName(_ bytes: Span<UInt8>) -> Int? {
        var end = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: ":") {
            guard isName(bytes[end]) else { return nil }
            end += 1
        }
        return (1...longest).contains(end) ? end : nil
    }

    /// The digits behind a colon; empty when nothing follows the host, nil when something else does.
    private static func port(_ bytes: Span<UInt8>) -> String? {
        if bytes.isEmpty { return "" }
        guard bytes[0] == UInt8(ascii: ":"), (1...6).contains(bytes.count) else { return nil }
        var number = 0
        for index in 1..<bytes.count {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[index] else { return nil }
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return number <= 65_535 ? lower(bytes.extracting(1...)) : nil
    }

    /// The bytes of names that DNS and users have: letters, digits, and -._~. The other signs that RFC 3986 allows,
    /// escapes among them, are read in several ways.
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == 0x7e
        }
    }

    private static func lower(_ bytes: Span<UInt8>) -> String {
        var text = ""
        text.reserveCapacity(bytes.count)
        for index in bytes.indices {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index])
            text.unicodeScalars.append(Unicode.Scalar(isUpper ? bytes[index] | 0x20 : bytes[index]))
        }
        return text
    }

    private static func isAddress(_ host: String, _ family: Int32) -> Bool {
        var room = in6_addr()
        return unsafe inet_pton(family, host, &room) == 1
    }
}
