import Bytes

// Where something is on the web, and whom one writes to.
extension FormRule {
    /// One "@" with something before and behind it, without white space: more can't be known without writing to it.
    static let email = FormRule(
        "[^@\(Classes.space)\(Classes.control)]+@[^@\(Classes.space)\(Classes.control)]+",
        allowed: "an address such as ann@example.org is",
        needed: "an address such as ann@example.org is",
        takes: { text in
            // Not characters: an accent behind the "@" is another one with it.
            let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2
                && parts.allSatisfy { part in
                    !part.isEmpty
                        && part.allSatisfy {
                            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
                        }
                }
        })

    static let webURL = address(schemes: ["https", "http"], pattern: "[hH][tT][tT][pP][sS]?")
    static let httpsURL = address(schemes: ["https"], pattern: "[hH][tT][tT][pP][sS]")

    /// An absolute URL (RFC 3986, restricted): its scheme, a host that is not empty, no user name or password,
    /// printable ASCII only.
    private static func address(schemes: [String], pattern: String) -> FormRule {
        FormRule(
            pattern + #"://(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]{3,}\])(?::[1-9][0-9]{0,3})?"#
                + #"(?:[/?#][!#-;=?-Z\[\]_a-z~]*)?"#,
            allowed: "a URL with \(schemes.joined(separator: " or ")) and a host, at most 2048 bytes, is",
            takes: { isAddress($0, schemes) })
    }

    private static func isAddress(_ text: String, _ schemes: [String]) -> Bool {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy(isOfURL),
            let (scheme, rest) = text.halves(at: ":"), schemes.contains(scheme.asciiLowercased)
        else { return false }
        return rest.after("//").map { isAuthority($0.until("/", "?", "#")) } ?? false
    }

    /// Printable ASCII, without characters that RFC 3986 does not allow.
    private static func isOfURL(_ byte: UInt8) -> Bool {
        ASCII.isVisible(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    /// "host", "host:443" or "[2001:db8::1]:443".
    private static func isAuthority(_ text: Substring) -> Bool {
        if let (address, rest) = text.after("[")?.halves(at: "]") {
            return isIPv6(address) && (rest.isEmpty || rest.after(":").map(isPort) ?? false)
        }
        guard let (host, port) = text.halves(at: ":") else { return isHost(text) }
        return isHost(host) && isPort(port)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.utf8.allSatisfy(ASCII.isDigit) && UInt16(text) ?? 0 > 0
    }

    private static func isIPv6(_ host: Substring) -> Bool {
        host.utf8.count > 2
            && host.utf8.allSatisfy { ASCII.isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    private static func isHost(_ host: Substring) -> Bool {
        let labels = host.split(at: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.utf8.allSatisfy { ASCII.isWord($0) || ASCII.isAnyLetter($0) }
            }
    }
}
