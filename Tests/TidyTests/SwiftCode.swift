/// Swift source with comments and the inside of string literals blanked out, byte by byte, so that a rule about code
/// never stumbles over words in a comment or in a text that a generator writes. Lines stay where they were.
struct SwiftCode {
    let lines: [Substring]

    init(_ source: String) {
        var blanker = Blanker(source)
        lines = blanker.blanked().split(separator: "\n", omittingEmptySubsequences: false)
    }

    var text: String { lines.joined(separator: "\n") }
}

private struct Blanker {
    private var bytes: [UInt8]
    private var at = 0

    init(_ source: String) { bytes = Array(source.utf8) }

    mutating func blanked() -> String {
        while at < bytes.count { step() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func step() {
        if isAt("//") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { blank() }
        } else if isAt("/*") {
            blankComment()
        } else if let literal = openingLiteral {
            blankLiteral(literal)
        } else {
            at += 1
        }
    }

    private func isAt(_ token: String, after offset: Int = 0) -> Bool {
        bytes[(at + offset)...].starts(with: token.utf8)
    }

    private mutating func blank(_ count: Int = 1) {
        let end = min(at + count, bytes.count)
        while at < end {
            if bytes[at] != UInt8(ascii: "\n") { bytes[at] = UInt8(ascii: " ") }
            at += 1
        }
    }

    /// The quote and the number signs before it, when a literal begins here.
    private var openingLiteral: (quote: String, signs: String)? {
        guard bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "#") else { return nil }
        let count = bytes[at...].prefix { $0 == UInt8(ascii: "#") }.count
        let signs = String(repeating: "#", count: count)
        if isAt("\"\"\"", after: count) { return ("\"\"\"", signs) }
        return isAt("\"", after: count) ? ("\"", signs) : nil
    }

    /// Block comments nest.
    private mutating func blankComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                blank(2)
            } else if isAt("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && at < bytes.count
    }

    private mutating func blankLiteral(_ literal: (quote: String, signs: String)) {
        let end = literal.quote + literal.signs
        let escape = "\\" + literal.signs
        blank(end.utf8.count)
        while at < bytes.count, !isAt(end) {
            if isAt(escape + "(") {
                blank(escape.utf8.count)
                blankInterpolation()
            } else if isAt(escape) {
                blank(escape.utf8.count + 1)
            } else {
                blank()
            }
        }
        blank(end.utf8.count)
    }

    /// From the opening parenthesis to the one that closes it; literals inside may hold parentheses of their own.
    private mutating func blankInterpolation() {
        var depth = 0
        repeat {
            if let literal = openingLiteral {
                blankLiteral(literal)
                continue
            }
            if isAt("(") { depth += 1 }
            if isAt(")") { depth -= 1 }
            blank()
        } while depth > 0 && at < bytes.count
    }
}
