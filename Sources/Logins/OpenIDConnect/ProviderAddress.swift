import Bytes
package import Refusals

/// Where a provider is reached: an address of https, which a browser or a request can take as it is.
package enum ProviderAddress {
    private static let longest = 2048
    private static let loopback: Set<Substring> = ["localhost", "127.0.0.1", "[::1]"]

    /// The address; refused when it is something else. `allowsHTTP` is for servers of the same machine, and lets no
    /// other one be asked in plain text.
    package static func checked(_ address: String, _ field: String, allowsHTTP: Bool) throws(Refusal) -> String {
        guard address.utf8.count <= longest else {
            throw Refusal(field, address.utf8.count, "bytes", allowed: "at most \(longest) are")
        }
        // Nothing that readers of addresses take differently.
        let isPlain = address.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"\"#<>\\^`{|}".utf8.contains($0) }
        guard isPlain, host(address, allowsHTTP: allowsHTTP) != nil else {
            throw Refusal(field, text: address, allowed: "an address of https is")
        }
        return address
    }

    /// The host's name, or its numeric address; nil when the address should not be asked.
    private static func host(_ address: String, allowsHTTP: Bool) -> Substring? {
        let isSecure = address.begins(with: "https://")
        guard let rest = address.after(isSecure ? "https://" : "http://"), isSecure || allowsHTTP else { return nil }
        let authority = rest.until("/", "?")
        var name = Substring(
            authority.unicodeScalars.prefix { $0.isASCIILetter || $0.isDigit || $0 == "." || $0 == "-" })
        if authority.begins(with: "["), let end = authority.unicodeScalars.firstIndex(of: "]") {
            name = authority[...end]
            let inner = name.unicodeScalars.dropFirst().dropLast()
            guard inner.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        }
        let port = authority[name.endIndex...]
        guard !name.isEmpty, port.isEmpty || port.after(":").map(isPort) ?? false else { return nil }
        return isSecure || loopback.contains(name) ? name : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy(\.isDigit) && UInt16(text) != nil
    }
}
