/// Compares a word with the terms of an index in their order: optimal string alignment (Damerau 1964), to a whole term
/// or to its best beginning. What terms begin with alike is compared once, and a beginning with too many mistakes is
/// passed over with all terms that begin so.
struct SpellingWalk {
    /// Terms between two calls of `checkpoint`.
    private static let interval = 1024
    private static let maximumLetters = NameTerms.longest

    private let word: TypedWord
    private let width: Int
    /// For each letter of the term, the changes that make it, so far, of each beginning of the word.
    private var rows: [Int]
    /// The least changes of a row that make the whole word, in that row or one before.
    private var best: [Int]
    /// Of the term before, as far as its rows are known.
    private var letters: [UInt32] = []
    /// The term, and where each of its letters ends.
    private var bytes: [UInt8] = []
    private var next: [UInt32] = []
    private var beginning: [UInt8] = []
    private var ends: [Int] = []

    init(_ word: TypedWord) {
        self.word = word
        width = word.letters.count + 1
        rows = [Int](repeating: 0, count: (Self.maximumLetters + 1) * width)
        best = [Int](repeating: word.letters.count, count: Self.maximumLetters + 1)
        for column in 0..<width { rows[column] = column }
    }

    /// The terms in a range that fit, in runs of those that fit alike; `checkpoint` ends it by throwing.
    mutating func fits(
        in range: Range<Int>, of index: NameIndex, _ checkpoint: (Int) throws -> Void
    ) throws -> [(terms: Range<Int>, fit: TypedWord.Fit)] {
        var found: [(terms: Range<Int>, fit: TypedWord.Fit)] = []
        var term = range.lowerBound
        var visited = 0
        while term < range.upperBound {
            visited += 1
            if visited % Self.interval == 0 { try checkpoint(0) }
            take(term, of: index)
            if let depth = compare() {
                beginning.replaceSubrange(0..., with: bytes[..<ends[depth - 1]])
                let end = min(range.upperBound, index.end(ofTermsBeginningWith: beginning, from: term))
                if word.isBeginning, best[depth] <= word.allowed {
                    found.append((term..<end, TypedWord.Fit(changes: best[depth], isWhole: false)))
                }
                term = max(end, term + 1)
            } else {
                let whole = rows[letters.count * width + width - 1]
                let changes = word.isBeginning ? best[letters.count] : whole
                if changes <= word.allowed {
                    found.append((term..<term + 1, TypedWord.Fit(changes: changes, isWhole: whole == changes)))
                }
                term += 1
            }
        }
        return found
    }

    private mutating func take(_ term: Int, of index: NameIndex) {
        bytes.removeAll(keepingCapacity: true)
        next.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        unsafe index.withTerm(term) { unsafe bytes.append(contentsOf: $0.prefix(Self.maximumLetters)) }
        if bytes.allSatisfy({ $0 < 0x80 }) {
            for (place, byte) in bytes.enumerated() {
                next.append(UInt32(byte))
                ends.append(place + 1)
            }
        } else {
            var end = 0
            for letter in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                end += UTF8.width(letter)
                next.append(letter.value)
                ends.append(min(end, bytes.count))
            }
        }
    }

    /// Compares the letters that the term before has not; gives after how many of them there are too many mistakes,
    /// whatever follows, or nil.
    private mutating func compare() -> Int? {
        var shared = 0
        while shared < min(letters.count, next.count), letters[shared] == next[shared] { shared += 1 }
        letters.removeLast(letters.count - shared)
        while letters.count < min(next.count, Self.maximumLetters) {
            letters.append(next[letters.count])
            if addRow() { return letters.count }
        }
        return nil
    }

    /// The row of the last letter; whether no term that goes on can fit any more.
    private mutating func addRow() -> Bool {
        let depth = letters.count
        let (row, last, beforeLast) = (depth * width, (depth - 1) * width, max(0, depth - 2) * width)
        let letter = letters[depth - 1]
        rows[row] = depth
        var least = depth
        var leastOfLast = depth - 1
        for column in 1..<width {
            let isSame = word.letters[column - 1] == letter
            var value = min(
                rows[row + column - 1] + 1, rows[last + column] + 1, rows[last + column - 1] + (isSame ? 0 : 1))
            if depth > 1, column > 1, word.letters[column - 2] == letter, word.letters[column - 1] == letters[depth - 2]
            {
                value = min(value, rows[beforeLast + column - 2] + 1)
            }
            rows[row + column] = value
            least = min(least, value)
            leastOfLast = min(leastOfLast, rows[last + column])
        }
        best[depth] = min(best[depth - 1], rows[row + width - 1])
        // Two letters that have changed places are counted from the row before.
        return least > word.allowed && leastOfLast + 1 > word.allowed
    }
}

extension UTF8 {
    /// How many bytes a letter takes.
    fileprivate static func width(_ letter: Unicode.Scalar) -> Int {
        switch letter.value {
        case ..<0x80: 1
        case ..<0x800: 2
        case ..<0x10000: 3
        default: 4
        }
    }
}
