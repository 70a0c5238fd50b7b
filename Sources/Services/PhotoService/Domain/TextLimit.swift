import Bytes
import Contracts
import Refusals

/// The limits of a text field.
struct TextLimit: Sendable {
    /// A caption. It may have lines.
    static let title = TextLimit(
        field: "photo.title", characters: Contracts.Photo.titleLength.upperBound, allowsLines: true)
    static let author = TextLimit(
        field: "photo.author", characters: Contracts.Photo.authorLength.upperBound, allowsLines: false)
    static let licence = TextLimit(
        field: "photo.licence", characters: Contracts.Photo.licenceLength.upperBound, allowsLines: false)

    static let placeName = TextLimit(
        field: "place_name", characters: ChangeFavouriteRequest.placeNameLength.upperBound, allowsLines: false)

    let field: String
    /// The longest text, in Unicode scalars.
    let characters: Int
    /// Whether it may contain tabs and line ends; other control characters are never allowed.
    let allowsLines: Bool

    /// The text without the white space around it.
    func checked(_ given: String) throws(Refusal) -> String {
        let scalars = given.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        let text = scalars[first...last]
        guard text.count <= characters else {
            throw Refusal(field, text.count, "characters", allowed: "at most \(characters) are")
        }
        guard text.allSatisfy(isAllowed) else {
            throw Refusal(
                field, "a control character", allowed: allowsLines ? "lines of text are" : "one line of text is")
        }
        return String(text)
    }

    /// Whether a text may contain it.
    func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: allowsLines && ["\t", "\n", "\r"].contains(scalar)
        case .lineSeparator, .paragraphSeparator: allowsLines
        default: true
        }
    }
}

extension TextLimit {
    /// The nearest allowed text to what a camera or a program wrote into a picture: up to the first zero, UTF-8 or else
    /// Latin-1, control characters become blanks, and text that is too long is cut.
    func fitted(_ bytes: [UInt8]) -> String {
        let bytes = Array(bytes.prefix { $0 != 0 })
        return fitted(
            String(validating: bytes, as: UTF8.self) ?? String(decoding: bytes.map(UInt16.init), as: UTF16.self))
    }

    /// The nearest allowed text: control characters become blanks, and text that is too long is cut.
    func fitted(_ text: String) -> String {
        let allowed = text.unicodeScalars.map { isAllowed($0) ? $0 : " " }
        var scalars = allowed.drop(while: \.properties.isWhitespace).prefix(characters)
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// An absolute URL of a page or a picture on the web (RFC 3986, restricted): its scheme, a host that is not empty, no
/// user name or password, printable ASCII only.
struct WebAddress: Sendable {
    /// The longest address in bytes.
    static let limit = Contracts.Photo.sourceUrlLength.upperBound

    /// The page that shows a photo.
    static let page = WebAddress(field: "photo.source_url", schemes: ["https", "http"])
    /// Where a photo's bytes are.
    static let original = WebAddress(field: "photo.original_url", schemes: ["https"])

    let field: String
    let schemes: [String]

    /// The given address; an empty one counts as none.
    func checked(_ text: String) throws(Refusal) -> String {
        if text.isEmpty || isAllowed(Substring(text)) { return text }
        let names = schemes.joined(separator: " or ")
        throw Refusal(
            field, text: text, allowed: "a URL with \(names) and a host, at most \(Self.limit) bytes, is")
    }

    private func isAllowed(_ text: Substring) -> Bool {
        guard text.utf8.count <= Self.limit, text.utf8.allSatisfy(Self.isURLByte) else { return false }
        guard let (scheme, rest) = text.halves(at: ":"), schemes.contains(scheme.lowercased()) else { return false }
        return rest.after("//").map { Self.isAuthority($0.until("/", "?", "#")) } ?? false
    }

    /// Printable ASCII, without characters that RFC 3986 does not allow.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        (0x21...0x7e).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    /// "host", "host:443" or "[2001:db8::1]:443".
    private static func isAuthority(_ text: Substring) -> Bool {
        if let (address, rest) = text.after("[")?.halves(at: "]") {
            return isAddress(address) && (rest.isEmpty || rest.after(":").map(isPort) ?? false)
        }
        guard let (host, port) = text.halves(at: ":") else { return isName(text) }
        return isName(host) && isPort(port)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy(\.isDigit) && UInt16(text) ?? 0 > 0
    }

    private static func isAddress(_ host: Substring) -> Bool {
        host.utf8.count > 2 && host.unicodeScalars.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }

    private static func isName(_ host: Substring) -> Bool {
        let labels = host.split(at: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == "-" || $0 == "_" }
            }
    }
}
