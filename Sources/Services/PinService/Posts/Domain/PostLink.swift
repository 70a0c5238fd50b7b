import Bytes
import Refusals

/// What a post leads to: an absolute URL with http or https, as RFC 3986 has them; its host may have letters of any
/// script.
struct PostLink: Equatable, Sendable {
    let url: String

    private static let allowed = "a link such as https://example.org/me is"

    init(_ given: String) throws(Refusal) {
        let scalars = given.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw Refusal(missing: "link", needed: Self.allowed) }
        let text = Substring(scalars[first...last])
        guard text.unicodeScalars.allSatisfy(Self.isVisible) else {
            throw Refusal(
                "link", text: String(text), allowed: "a link without spaces, control characters and \"<>`{}|^ is")
        }
        let (scheme, rest) = try Self.split(text)
        let end = rest.unicodeScalars.firstIndex(where: Self.endsAuthority) ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.holds("@") else {
            throw Refusal("link", text: String(text), allowed: "a link without a user's name is")
        }
        guard Self.isHost(authority), !rest[end...].begins(with: "\\") else {
            throw Refusal("link", text: String(text), allowed: Self.allowed)
        }
        url = "\(scheme)://\(authority.lowercased())\(rest[end...])"
    }

    /// The scheme, "http" when there is none, and what follows "://".
    private static func split(_ text: Substring) throws(Refusal) -> (scheme: String, rest: Substring) {
        let start = text.unicodeScalars.firstIndex(where: endsAuthority) ?? text.endIndex
        let parts = text[..<start].split(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return ("http", text) }
        let name = parts[0].asciiLowercased
        if name == "http" || name == "https" {
            if let rest = text[parts[1].startIndex...].after("//") { return (name, rest) }
        } else if isPort(parts[1]), !name.isEmpty {
            // "example.org:8080", not a scheme.
            return ("http", text)
        } else if text.begins(with: "["), text[..<start].holds("]") {
            return ("http", text)
        }
        throw Refusal("link", text: String(text), allowed: "only http and https are")
    }

    private static func endsAuthority(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "?" || scalar == "#" || scalar == "\\"
    }

    /// A name or an address, with a port or without.
    private static func isHost(_ authority: Substring) -> Bool {
        if let address = authority.after("[") {
            let parts = address.split(at: "]", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].utf8.count >= 2
                && parts[0].unicodeScalars.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
                && isEndOrPort(parts[1])
        }
        let host = Substring(authority.unicodeScalars.prefix { $0 != ":" })
        let labels = host.split(at: ".", omittingEmptySubsequences: false)
        // A dot at the end names the same host.
        let named = labels.last?.isEmpty == true && labels.count > 1 ? labels.dropLast() : labels[...]
        return host.utf8.count <= 253 && !named.isEmpty && named.allSatisfy(isLabel)
            && isEndOrPort(authority[host.endIndex...])
    }

    /// Letters and digits of any script, with the marks that belong to them: those that names of hosts may have.
    private static func isLabel(_ label: Substring) -> Bool {
        let scalars = label.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, label.utf8.count <= 63 else { return false }
        return first != "-" && last != "-" && !isMark(first)
            && scalars.allSatisfy { $0.isAlphabetic || $0.isNumeric || isMark($0) || $0 == "-" || $0 == "_" }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isEndOrPort(_ text: Substring) -> Bool { text.isEmpty || text.after(":").map(isPort) ?? false }

    private static func isPort(_ text: Substring) -> Bool {
        guard text.utf8.count <= 5, text.unicodeScalars.allSatisfy(\.isDigit) else { return false }
        return UInt16(text).map { $0 > 0 } ?? false
    }

    /// No white space, no controls, and nothing that is not seen or turns the direction of writing.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned,
            .privateUse:
            return false
        default: return !"\"<>`{}|^".unicodeScalars.contains(scalar)
        }
    }
}
