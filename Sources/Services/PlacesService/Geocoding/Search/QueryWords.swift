import Texts

/// The words of a text that names something, folded.
struct QueryWords: Sendable {
    /// No place has a longer name, including everything that it is in.
    static let maximum = 16
    private static let space = UInt8(ascii: " ")

    /// All words with single blanks between them.
    let folded: [UInt8]
    /// The range of each word.
    let words: [Range<Int>]
    /// Whether the text has no small letter, as codes are written.
    let isCapitals: Bool

    init(_ text: String) {
        self.init(
            folded: FoldedText(text).bytes,
            isCapitals: !text.unicodeScalars.contains { $0.properties.isLowercase })
    }

    /// Takes folded text: words with single blanks between them.
    init(folded: [UInt8], isCapitals: Bool = false) {
        self.folded = folded
        self.isCapitals = isCapitals
        var words: [Range<Int>] = []
        var start = 0
        for (index, byte) in folded.enumerated() where byte == Self.space {
            words.append(start..<index)
            start = index + 1
        }
        if !folded.isEmpty { words.append(start..<folded.count) }
        self.words = words
    }

    var count: Int { words.count }

    /// The folded text of some words, which are at least one.
    func text(_ span: Range<Int>) -> ArraySlice<UInt8> {
        folded[words[span.lowerBound].lowerBound..<words[span.upperBound - 1].upperBound]
    }

    func hash(_ span: Range<Int>) -> UInt64 { NameKey.hash(text(span)) }
}

/// How many letters are to be added, left out, changed or swapped with their neighbour to make one text of another.
enum TypingMistakes {
    /// The number of changes (optimal string alignment, Damerau 1964); nil when there are more than `maximum`.
    static func changes(_ a: [UInt8], _ b: UnsafeRawBufferPointer, maximum: Int) -> Int? {
        guard abs(a.count - b.count) <= maximum, unsafe !isLonger(a, b) else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for row in 1...max(a.count, 1) where row <= a.count {
            var current = [row]
            current.reserveCapacity(last.count)
            for column in 1..<b.count + 1 {
                let isSame = unsafe a[row - 1] == b[column - 1]
                var least = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, unsafe a[row - 1] == b[column - 2], unsafe a[row - 2] == b[column - 1] {
                    least = min(least, beforeLast[column - 2] + 1)
                }
                current.append(least)
            }
            if current.allSatisfy({ $0 > maximum }) { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[b.count] <= maximum ? last[b.count] : nil
    }

    /// A longer word that begins with a name is another word: "Estonian", "Parisian"; but for a last letter that was
    /// typed twice.
    private static func isLonger(_ a: [UInt8], _ b: UnsafeRawBufferPointer) -> Bool {
        guard unsafe a.count > b.count && a.starts(with: b) else { return false }
        let last = unsafe b.last
        return a[b.count...].contains { $0 != last }
    }

    /// How many changes are tried in a text of so many letters.
    static func allowed(_ letters: Int) -> Int {
        switch letters {
        case ..<5: 0
        case 5...10: 1
        default: 2
        }
    }
}
