/// Reads bytes that should be UTF-8, piece by piece. Those that are not are taken for letters of Windows-1252, in which
/// old programs of the West write: every other reader of such files shows them so.
struct LenientUTF8 {
    /// The letters of 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt); all others are those of
    /// Unicode.
    private static let letters: [Unicode.Scalar] = [
        "\u{20ac}", "\u{81}", "\u{201a}", "\u{192}", "\u{201e}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2c6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8d}", "\u{17d}", "\u{8f}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201c}", "\u{201d}", "\u{2022}", "\u{2013}", "\u{2014}",
        "\u{2dc}", "\u{2122}", "\u{161}", "\u{203a}", "\u{153}", "\u{9d}", "\u{17e}", "\u{178}",
    ]

    private var rest: [UInt8] = []
    /// Bytes that were no UTF-8.
    private(set) var wrongBytes = 0

    /// What these bytes give, after those of before.
    mutating func text(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
        var input = rest.isEmpty ? Array(bytes) : rest + bytes
        rest = []
        if !isLast {
            let tail = Self.unfinished(input)
            rest = Array(input.suffix(tail))
            input.removeLast(tail)
        }
        if (try? UTF8Span(validating: input.span)) != nil { return input }
        return repaired(input)
    }

    private mutating func repaired(_ input: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(input.count + input.count / 2)
        var start = 0
        while start < input.count {
            var wrong = input.count..<input.count
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: input.span.extracting(start..<input.count))
            } catch {
                wrong = (start + error.byteOffsets.lowerBound)..<(start + error.byteOffsets.upperBound)
            }
            text += input[start..<wrong.lowerBound]
            for byte in input[wrong] { text += Self.letter(byte) }
            wrongBytes += wrong.count
            start = wrong.upperBound
        }
        return text
    }

    private static func letter(_ byte: UInt8) -> [UInt8] {
        let scalar = (0x80...0x9f).contains(byte) ? letters[Int(byte) - 0x80] : Unicode.Scalar(byte)
        return Array(String(scalar).utf8)
    }

    /// Bytes at the end that may be the beginning of a letter.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            if byte & 0xc0 == 0x80 { continue }
            let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
