import FeatureFiles

/// The text of HTML, as placemarks have it in their descriptions: without tags, scripts and styles, in lines where HTML
/// begins one, and with one blank for many.
enum HTMLText {
    private static let breaking: Set<Substring> = [
        "br", "p", "div", "li", "tr", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote",
    ]
    private static let silent: Set<Substring> = ["script", "style", "head", "title"]
    private static let entities: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
    ]
    private static let longestEntity = 10

    /// A text without any tag keeps its lines.
    static func plain(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return html }
        let keepsLines = !html.utf8.contains(UInt8(ascii: "<"))
        var (text, rest) = ("", html[...])
        while let character = rest.first {
            switch character {
            case "<" where isTag(rest.dropFirst()): skipTag(&rest, &text)
            case "&": text += entity(&rest)
            case let blank where blank.isWhitespace && !(keepsLines && blank.isNewline):
                if let last = text.last, !last.isWhitespace { text.append(" ") }
                rest.removeFirst()
            default:
                text.append(character)
                rest.removeFirst()
            }
        }
        return lines(text)
    }

    private static func isTag(_ rest: Substring) -> Bool {
        rest.first.map { $0.isLetter || $0 == "/" || $0 == "!" || $0 == "?" } ?? false
    }

    private static func skipTag(_ rest: inout Substring, _ text: inout String) {
        if rest.hasPrefix("<!--") {
            rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
            return
        }
        let body = rest.dropFirst().prefix { $0 != ">" }
        rest = rest[body.endIndex...].dropFirst()
        let name = body.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()[...]
        if breaking.contains(name), let last = text.last, !last.isNewline { text.append("\n") }
        if silent.contains(name), body.first != "/" {
            rest = rest.firstRange(of: "</\(name)").map { rest[$0.lowerBound...] } ?? ""
        }
    }

    private static func entity(_ rest: inout Substring) -> String {
        let name = rest.dropFirst().prefix(longestEntity).prefix { $0 != ";" }
        guard rest[name.endIndex...].first == ";" else {
            rest.removeFirst()
            return "&"
        }
        var known = entities[name]
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            known = UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init).map { String($0) }
        } else if name.hasPrefix("#") {
            known = UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init).map { String($0) }
        }
        guard let known else {
            rest.removeFirst()
            return "&"
        }
        rest = rest[name.endIndex...].dropFirst()
        return known
    }

    /// Without blanks at the ends of lines, and no more than one empty line after another.
    private static func lines(_ text: String) -> String {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = String(line).withoutBlanks
            if !line.isEmpty || !(lines.last?.isEmpty ?? true) { lines.append(line) }
        }
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
