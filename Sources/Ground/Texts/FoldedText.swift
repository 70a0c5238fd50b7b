import CUtf8proc
import Glibc

/// Text without case, accents and punctuation: lower-case words with single spaces between them.
///
/// ASCII is folded directly. Everything else goes through utf8proc (compatibility decomposition, case folding) and
/// loses its accents; vowel signs of Indian scripts and the like are marks too, but no accents, and stay. What Unicode
/// does not decompose, such as ø, is replaced by a table of ours.
package struct FoldedText {
    private static let space = UInt8(ascii: " ")
    private static let options = utf8proc_option_t(
        UTF8PROC_STABLE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
            | UTF8PROC_STRIPNA.rawValue)

    /// The folded words as UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var isInWord = false

    package init() {}

    package init(_ text: String) { add(text) }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isInWord = false
    }

    /// Appends the words of another text.
    package mutating func add(_ text: String) {
        isInWord = false
        var text = text
        text.withUTF8 { unsafe add($0) }
    }

    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        guard unsafe text.allSatisfy({ $0 < 0x80 }) else { return unsafe addDecomposed(text) }
        for index in text.indices { add(ascii: unsafe text[index]) }
    }

    private mutating func add(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            add(letter: CollectionOfOne(byte))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(letter: CollectionOfOne(byte | 0x20))
        default: isInWord = false
        }
    }

    private mutating func add(letter: some Collection<UInt8>) {
        if !isInWord, !bytes.isEmpty { bytes.append(Self.space) }
        isInWord = true
        bytes.append(contentsOf: letter)
    }

    private mutating func addDecomposed(_ text: UnsafeBufferPointer<UInt8>) {
        var decomposed: UnsafeMutablePointer<UInt8>?
        let count = unsafe utf8proc_map(text.baseAddress, text.count, &decomposed, Self.options)
        defer { unsafe free(decomposed) }
        guard count > 0, let start = unsafe decomposed else { return }
        let folded = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        for scalar in folded.unicodeScalars { add(scalar) }
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        if scalar.isASCII { return add(ascii: UInt8(truncatingIfNeeded: scalar.value)) }
        if Self.isAccent(scalar) { return }
        if let plain = Self.plainLetters[scalar] { return add(letter: plain.utf8) }
        if Self.isLetter(scalar) { add(letter: UTF8.encode(scalar) ?? .init()) } else { isInWord = false }
    }

    /// Marks above and below letters of Latin, Greek and Cyrillic, points of Hebrew and Arabic, marks of symbols.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670: true
        case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F: true
        default: false
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        let category = UInt32(utf8proc_category(utf8proc_int32_t(scalar.value)).rawValue)
        return (UTF8PROC_CATEGORY_LU.rawValue...UTF8PROC_CATEGORY_NO.rawValue).contains(category)
    }

    /// Letters that Unicode takes as letters of their own, as people without them on the keyboard type them.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ŋ": "n",
        "ĸ": "k", "ə": "e", "ß": "ss",
    ]
}
