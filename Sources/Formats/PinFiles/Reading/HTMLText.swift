import Bytes
import FeatureFiles

/// The text of HTML, as placemarks have it in their descriptions: without tags, scripts and styles, in lines where HTML
/// begins one, with one blank for many, and the address of a link behind its words.
enum HTMLText {
    private static let breaking: Set<Substring> = [
        "br", "p", "div", "li", "tr", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote",
    ]
    private static let silent: Set<Substring> = ["script", "style", "head", "title"]
    private static let longestEntity = 12
    /// Bytes of an address that is kept.
    private static let longestAddress = 2_000

    /// A text without any tag keeps its lines.
    static func plain(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
        let keepsLines = !html.utf8.contains(UInt8(ascii: "<"))
        var (text, rest) = (String.UnicodeScalarView(), html.unicodeScalars[...])
        // The link that is open, and its words.
        var link: (address: String, words: String.UnicodeScalarView)?
        func put(_ scalars: some Sequence<Unicode.Scalar>) {
            for scalar in scalars {
                text.append(scalar)
                link?.words.append(scalar)
            }
        }
        while let scalar = rest.first {
            switch scalar {
            case "<" where isTag(rest.dropFirst()):
                let tag = skipTag(&rest, &text)
                guard tag.name == "a" else { continue }
                if let open = link {
                    link = nil
                    if !isShown(open.address, in: String(open.words)) { put(" (\(open.address))".unicodeScalars) }
                }
                if !tag.isEnd, let address = address(of: tag.scalars) { link = (address, .init()) }
            case "&": put(entity(&rest).unicodeScalars)
            case let blank where blank.isWhitespace && !(keepsLines && blank.isLineEnd):
                if let last = text.last, !last.isWhitespace { put([" "]) }
                rest.removeFirst()
            default:
                put(CollectionOfOne(scalar))
                rest.removeFirst()
            }
        }
        return lines(String(text))
    }

    /// Whether the words of a link have its address. Long ones are not searched.
    private static func isShown(_ address: String, in words: String) -> Bool {
        words.utf8.count <= longestAddress * 2 && words.holds(address)
    }

    private static func isTag(_ rest: Substring.UnicodeScalarView) -> Bool {
        rest.first.map { $0.isASCIILetter || $0 == "/" || $0 == "!" || $0 == "?" } ?? false
    }

    /// The address to which `a href="…"` leads; nil for one that no one can open elsewhere.
    private static func address(of tag: Substring.UnicodeScalarView) -> String? {
        let words = String(tag)
        guard let start = words.asciiLowercased.utf8.firstRange(of: "href".utf8)?.upperBound else { return nil }
        let behind = Substring(words.utf8[start...]).trimmed.after("=")?.trimmed ?? ""
        let quote = behind.unicodeScalars.first
        let value: Substring
        if let quote, quote == "\"" || quote == "'" {
            value = Substring(behind.unicodeScalars.dropFirst().prefix { $0 != quote })
        } else {
            value = Substring(behind.unicodeScalars.prefix { !$0.isWhitespace })
        }
        let address = plain(String(value)).withoutBlanks
        guard address.utf8.count <= longestAddress else { return nil }
        let isOpen = ["http://", "https://", "mailto:", "tel:"].contains { address.asciiLowercased.begins(with: $0) }
        return isOpen ? address : nil
    }

    private typealias Tag = (name: Substring, isEnd: Bool, scalars: Substring.UnicodeScalarView)

    private static func skipTag(
        _ rest: inout Substring.UnicodeScalarView, _ text: inout String.UnicodeScalarView
    ) -> Tag {
        if rest.starts(with: "<!--".unicodeScalars) {
            rest = rest.firstRange(of: "-->".unicodeScalars).map { rest[$0.upperBound...] } ?? rest[rest.endIndex...]
            return ("", false, rest.prefix(0))
        }
        let scalars = rest.dropFirst().prefix { $0 != ">" }
        rest = rest[scalars.endIndex...].dropFirst()
        let isEnd = scalars.starts(with: "/".unicodeScalars)
        let name = String(scalars.drop { $0 == "/" }.prefix { $0.isASCIILetter || $0.isDigit }).asciiLowercased[...]
        if breaking.contains(name), let last = text.last, last != "\n" { text.append("\n") }
        if silent.contains(name), !isEnd {
            rest =
                rest.firstRange(of: "</\(name)".unicodeScalars).map { rest[$0.lowerBound...] } ?? rest[rest.endIndex...]
        }
        return (name, isEnd, scalars)
    }

    private static func entity(_ rest: inout Substring.UnicodeScalarView) -> String {
        let body = rest.dropFirst().prefix(longestEntity).prefix { $0 != ";" }
        guard rest[body.endIndex...].starts(with: ";".unicodeScalars) else {
            rest.removeFirst()
            return "&"
        }
        let name = Substring(body)
        var known = name.isSame(as: "nbsp") ? " " : HTMLEntities.text(String(name))
        if let digits = name.after("#x") ?? name.after("#X") {
            known = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) }
        } else if let digits = name.after("#") {
            known = UInt32(digits).flatMap(Unicode.Scalar.init).map { String($0) }
        }
        guard let known else {
            rest.removeFirst()
            return "&"
        }
        rest = rest[body.endIndex...].dropFirst()
        return known
    }

    /// Without blanks at the ends of lines, and no more than one empty line after another.
    private static func lines(_ text: String) -> String {
        var lines: [String] = []
        for line in text.split(at: "\n", omittingEmptySubsequences: false) {
            let line = String(line).withoutBlanks
            if !line.isEmpty || !(lines.last?.isEmpty ?? true) { lines.append(line) }
        }
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
