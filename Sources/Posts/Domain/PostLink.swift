import Contracts
import Refusals

/// What a post leads to: an absolute URL with http or https, as RFC 3986 has them; its host may have letters of any
/// script.
struct PostLink: Equatable, Sendable {
    let url: String

    private static let allowed = "a link such as https://example.org/me is"

    init(_ given: String) throws(Refusal) {
        let scalars = given.unicodeScalars
        let most = CreatePostRequest.linkLength.upperBound
        guard scalars.count <= most else {
            throw Refusal("link", scalars.count, "characters", allowed: "at most \(most) are")
        }
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw Refusal(missing: "link", needed: Self.allowed) }
        let text = String(scalars[first...last])
        guard text.unicodeScalars.allSatisfy(Self.isVisible) else {
            throw Refusal("link", text: text, allowed: "a link without spaces, control characters and \"<>`{}|^ is")
        }
        let (scheme, rest) = try Self.split(text)
        let end = rest.firstIndex { "/?#\\".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else {
            throw Refusal("link", text: text, allowed: "a link without a user's name is")
        }
        guard Self.isHost(authority), !rest[end...].hasPrefix("\\") else {
            throw Refusal("link", text: text, allowed: Self.allowed)
        }
        url = "\(scheme)://\(authority.lowercased())\(rest[end...])"
    }

    /// The scheme, "http" when there is none, and what follows "://".
    private static func split(_ text: String) throws(Refusal) -> (scheme: String, rest: Substring) {
        let start = text.firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let colon = text[..<start].firstIndex(of: ":") else { return ("http", text[...]) }
        let (name, rest) = (text[..<colon].lowercased(), text[text.index(after: colon)...])
        if name == "http" || name == "https" {
            if rest.hasPrefix("//") { return (name, rest.dropFirst(2)) }
        } else if isPort(text[colon..<start].dropFirst()), !name.isEmpty {
            // "example.org:8080", not a scheme.
            return ("http", text[...])
        } else if text.hasPrefix("["), text[..<start].contains("]") {
            return ("http", text[...])
        }
        throw Refusal("link", text: text, allowed: "only http and https are")
    }

    /// A name or an address, with a port or without.
    private static func isHost(_ authority: Substring) -> Bool {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return false }
            let inner = authority[..<end].dropFirst()
            return inner.count >= 2 && inner.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
                && isEndOrPort(authority[authority.index(after: end)...])
        }
        let host = authority.prefix { $0 != ":" }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // A dot at the end names the same host.
        let named = labels.last?.isEmpty == true && labels.count > 1 ? labels.dropLast() : labels[...]
        return host.utf8.count <= 253 && !named.isEmpty && named.allSatisfy(isLabel)
            && isEndOrPort(authority[host.endIndex...])
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.utf8.count <= 63 && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    private static func isEndOrPort(_ text: Substring) -> Bool {
        text.isEmpty || text.hasPrefix(":") && isPort(text.dropFirst())
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard text.count <= 5, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
        return UInt16(text).map { $0 > 0 } ?? false
    }

    /// No white space, no controls, and nothing that is not seen or turns the direction of writing.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .unassigned: false
        default: !"\"<>`{}|^".unicodeScalars.contains(scalar)
        }
    }
}
