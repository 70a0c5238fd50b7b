import Bytes
import Texts

/// What a line that stops at a place is found by: "U2", "u 2" and "U-2" are one.
enum LineKey {
    /// The attribute of stops and stations, in which semicolons separate lines.
    static let attribute = "lines"
    /// No word of a name or a text begins so: "9" alone finds no stop.
    private static let mark: UInt8 = 0x01
    private static let longest = 12

    /// The key of a line; nil for what is none.
    static func key(_ folded: some Collection<UInt8>) -> [UInt8]? {
        let letters = folded.filter { byte in
            byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        return letters.isEmpty || letters.count > longest ? nil : [mark] + letters
    }

    /// A name that has the keys of all lines.
    static func name(_ lines: String) -> [UInt8] {
        let keys = lines.split(at: ";").compactMap { key(FoldedText(String($0)).bytes) }
        return Array(keys.joined(separator: [UInt8(ascii: " ")]))
    }
}
