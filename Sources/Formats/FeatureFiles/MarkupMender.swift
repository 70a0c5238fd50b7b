internal import Bytes

/// Makes of XML as programs write it such as a parser takes: of an ampersand that begins no reference one that stands
/// for itself, of a letter that HTML has a name for that letter, and nothing of characters that XML has not. It goes by
/// bytes of UTF-8, piece by piece.
struct MarkupMender {
    /// Bytes from an ampersand to its semicolon.
    private static let longestReference = 40
    private static let opening = Array("<![CDATA[".utf8)
    private static let closing = Array("]]>".utf8)
    private static let ampersand = Array("&amp;".utf8)

    /// Bytes that can be judged only with those that follow.
    private var rest: [UInt8] = []
    /// Within a section of letters that stand for themselves, where an ampersand is one of them.
    private var isLiteral = false
    private var line: UInt64 = 1
    /// Bytes of the line before the next one.
    private var column: UInt64 = 0
    /// Characters that were left out, and where the first one was.
    private var leftOut = 0
    private var firstLeftOut: (what: String, line: UInt64, column: UInt64)?

    /// What was lost of the text; nil when nothing was.
    var loss: FileNotice? {
        guard let first = firstLeftOut else { return nil }
        let others = leftOut == 1 ? "it was" : "it and \(leftOut - 1) others were"
        return FileNotice(
            line: first.line, column: first.column, "\(first.what) is no character of XML; \(others) passed over")
    }

    mutating func mend(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
        let input = rest.isEmpty ? Array(bytes) : rest + bytes
        rest = []
        var output: [UInt8] = []
        output.reserveCapacity(input.count + 64)
        var at = 0
        while at < input.count {
            let plain = input[at...].prefix { !Self.isSpecial($0) }
            output += plain
            (at, column) = (plain.endIndex, column + UInt64(plain.count))
            guard at < input.count else { break }
            guard let length = special(input, at, isLast, &output) else {
                rest = Array(input[at...])
                break
            }
            if input[at] == UInt8(ascii: "\n") { (line, column) = (line + 1, 0) } else { column += UInt64(length) }
            at += length
        }
        return output
    }

    /// Whether it may begin what is not taken as it is.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: "]"), 0xef: true
        default: false
        }
    }

    /// Takes what begins at a byte that may need a look; gives how many bytes it has, or nil when more are needed.
    private mutating func special(_ input: [UInt8], _ at: Int, _ isLast: Bool, _ output: inout [UInt8]) -> Int? {
        switch input[at] {
        case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
        case 0..<0x20:
            leaveOut("the byte \(input[at])")
            return 1
        case 0xef:
            // U+FFFE and U+FFFF.
            guard isLast || input.count - at >= 3 else { return nil }
            if input.count - at >= 3, input[at + 1] == 0xbf, input[at + 2] >= 0xbe {
                leaveOut("U+FFF\(input[at + 2] == 0xbe ? "E" : "F")")
                return 3
            }
        case UInt8(ascii: "<") where !isLiteral:
            guard let isOpening = Self.begins(input, at, with: Self.opening, isLast) else { return nil }
            isLiteral = isOpening
        case UInt8(ascii: "]") where isLiteral:
            guard let isClosing = Self.begins(input, at, with: Self.closing, isLast) else { return nil }
            isLiteral = !isClosing
        case UInt8(ascii: "&") where !isLiteral: return reference(input, at, isLast, &output)
        default: break
        }
        output.append(input[at])
        return 1
    }

    /// Nil when more bytes are needed.
    private static func begins(_ input: [UInt8], _ at: Int, with mark: [UInt8], _ isLast: Bool) -> Bool? {
        let part = input[at...].prefix(mark.count)
        guard mark.starts(with: part) else { return false }
        return part.count == mark.count ? true : isLast ? false : nil
    }

    private mutating func reference(
        _ input: [UInt8], _ at: Int, _ isLast: Bool, _ output: inout [UInt8]
    ) -> Int? {
        let name = input[(at + 1)...].prefix(Self.longestReference).prefix(while: Self.isOfReference)
        let end = at + 1 + name.count
        if end == input.count, !isLast, name.count < Self.longestReference { return nil }
        guard end < input.count, input[end] == UInt8(ascii: ";"), !name.isEmpty else {
            output += Self.ampersand
            return 1
        }
        let text = String(decoding: name, as: UTF8.self)
        if let digits = text.after("#") {
            let number = digits.after("x").map { UInt32($0, radix: 16) } ?? UInt32(digits)
            guard let scalar = number.flatMap(Unicode.Scalar.init), Self.isAllowed(scalar) else {
                leaveOut("&\(text);")
                return name.count + 2
            }
        } else if !Self.predefined.contains(text) {
            guard let letters = HTMLEntities.text(text) else {
                output += Self.ampersand
                return 1
            }
            output += Array(letters.utf8)
            return name.count + 2
        }
        output += input[at...end]
        return name.count + 2
    }

    private static let predefined: Set<String> = ["amp", "lt", "gt", "quot", "apos"]

    private static func isOfReference(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCIILetter || scalar.isDigit || byte == UInt8(ascii: "#")
    }

    /// The characters of XML 1.0, section 2.2.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xa, 0xd, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: true
        default: false
        }
    }

    private mutating func leaveOut(_ what: String) {
        leftOut += 1
        firstLeftOut = firstLeftOut ?? (what, line, column + 1)
    }
}
