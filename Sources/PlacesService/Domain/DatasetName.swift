/// The name of a dataset: 1 to 63 of a-z, 0-9, '-' and '_'. Safe as the name of a folder.
struct DatasetName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// What is allowed, in words.
    static let allowed = "1 to 63 of a-z, 0-9, '-' and '_'"
    private static let lengths = 1...63

    let description: String

    /// Nil for anything else than what is allowed.
    init?(_ text: String) {
        guard Self.lengths.contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        description = text
    }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
