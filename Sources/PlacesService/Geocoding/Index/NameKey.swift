import Bytes

/// How a name is looked up: folded, and without its blanks, so that "St. John's" is found as "st johns" too.
enum NameKey {
    private static let space = UInt8(ascii: " ")

    /// The hash of folded text.
    static func hash(_ folded: some Sequence<UInt8>) -> UInt64 {
        var hash = StableHash()
        for byte in folded where byte != space { hash.add(byte) }
        return hash.value
    }

    /// Folded text without its blanks.
    static func letters(_ folded: some Sequence<UInt8>) -> [UInt8] { folded.filter { $0 != space } }
}
