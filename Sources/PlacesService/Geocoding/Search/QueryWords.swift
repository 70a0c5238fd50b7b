/// The words of a text that names something, folded.
struct QueryWords: Sendable {
    /// No place has a longer name with all that it lies in.
    static let most = 16
    private static let space = UInt8(ascii: " ")

    /// All words with single blanks between them.
    let folded: [UInt8]
    /// Where each word stands.
    let words: [Range<Int>]
    /// Whether the text has no small letter, as codes are written.
    let isCapitals: Bool

    init(_ text: String) {
        folded = FoldedText(text).bytes
        var words: [Range<Int>] = []
        var start = 0
        for (index, byte) in folded.enumerated() where byte == Self.space {
            words.append(start..<index)
            start = index + 1
        }
        if !folded.isEmpty { words.append(start..<folded.count) }
        self.words = words
        isCapitals = !text.unicodeScalars.contains { $0.properties.isLowercase }
    }

    var count: Int { words.count }

    /// The folded text of some words, which are at least one.
    func text(_ span: Range<Int>) -> ArraySlice<UInt8> {
        folded[words[span.lowerBound].lowerBound..<words[span.upperBound - 1].upperBound]
    }

    func hash(_ span: Range<Int>) -> UInt64 { NameKey.hash(text(span)) }
}
