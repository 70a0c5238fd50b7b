/// Compares a word with the terms of an index in their order, to a whole term or to its best beginning. What terms
/// begin with alike is compared once, and what a beginning with too many mistakes, or with the wrong letter where no
/// more may be wrong, is passed over with all terms that begin so.
struct SpellingWalk {
    /// Terms that follow each other and fit alike.
    struct Run {
        let terms: Range<Int>
        let fit: TypedWord.Fit
    }

    /// Terms between two calls of `checkpoint`.
    private static let interval = 1024

    private let word: TypedWord
    private let mistyped: MistypedLetters
    /// The letters of the term before, as far as they were compared: their bytes, where each ends, and what is known
    /// behind each; first before any.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var letters: [UInt32] = []
    private var states: [MistypedLetters.State]
    private var wanted: [UInt8] = []

    init(_ word: TypedWord) {
        self.word = word
        mistyped = MistypedLetters(word)
        states = [mistyped.start]
    }

    /// The terms in a range that fit; `checkpoint` ends it by throwing.
    mutating func fits(
        in range: Range<Int>, of index: NameIndex, _ checkpoint: (Int) throws -> Void
    ) throws -> [Run] {
        var found: [Run] = []
        cut(to: 0)
        var term = range.lowerBound
        var visited = 0
        while term < range.upperBound {
            visited += 1
            if visited % Self.interval == 0 { try checkpoint(0) }
            let isHopeless = unsafe index.withTerm(term) { unsafe follow($0) }
            let state = states[letters.count]
            if isHopeless {
                let end = min(range.upperBound, max(term + 1, end(of: term, index)))
                if word.isBeginning, state.best <= word.allowed {
                    found.append(Run(terms: term..<end, fit: TypedWord.Fit(changes: state.best, isWhole: false)))
                }
                term = end
            } else {
                let changes = word.isBeginning ? state.best : state.whole
                if changes <= word.allowed {
                    let fit = TypedWord.Fit(changes: changes, isWhole: state.whole == changes)
                    found.append(Run(terms: term..<term + 1, fit: fit))
                }
                term += 1
            }
        }
        return found
    }

    /// Where the terms end that can't fit, as one does not.
    private mutating func end(of term: Int, _ index: NameIndex) -> Int {
        let (parent, letter) = (states[states.count - 2], letters[letters.count - 1])
        wanted.removeAll(keepingCapacity: true)
        let isAnyLetter =
            word.isBeginning && min(parent.best, states[states.count - 1].best) <= word.allowed
            || !mistyped.isTight(parent)
        if isAnyLetter {
            wanted.append(contentsOf: bytes)
            return index.end(ofTermsBeginningWith: wanted, from: term)
        }
        wanted.append(contentsOf: bytes[..<(ends.dropLast().last ?? 0)])
        guard let next = mistyped.nextLetter(above: letter, after: parent).flatMap(Unicode.Scalar.init) else {
            return index.end(ofTermsBeginningWith: wanted, from: term)
        }
        wanted.append(contentsOf: UTF8.encode(next) ?? .init())
        return index.firstTerm(notBelow: wanted, from: term)
    }

    private mutating func cut(to count: Int) {
        while letters.count > count {
            letters.removeLast()
            ends.removeLast()
            states.removeLast()
        }
        bytes.removeLast(bytes.count - (ends.last ?? 0))
    }

    /// Compares the letters that the term before has not; whether no term that goes on so can fit.
    private mutating func follow(_ term: UnsafeRawBufferPointer) -> Bool {
        var same = 0
        while same < min(bytes.count, term.count), unsafe bytes[same] == term[same] { same += 1 }
        var count = letters.count
        while count > 0, ends[count - 1] > same { count -= 1 }
        cut(to: count)
        while bytes.count < term.count {
            let (letter, width) = unsafe Self.letter(UnsafeRawBufferPointer(rebasing: term[bytes.count...]))
            unsafe bytes.append(contentsOf: term[bytes.count..<bytes.count + width])
            ends.append(bytes.count)
            letters.append(letter)
            let state = mistyped.next(states[states.count - 1], letter)
            states.append(state)
            if mistyped.isHopeless(state) { return true }
        }
        return false
    }

    /// The first letter of some bytes of UTF-8, and how many it takes.
    private static func letter(_ bytes: UnsafeRawBufferPointer) -> (letter: UInt32, width: Int) {
        let first = unsafe bytes[0]
        if first < 0x80 { return (UInt32(first), 1) }
        let width = min(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, bytes.count)
        var letter = UInt32(first) & (first < 0xE0 ? 0x1F : first < 0xF0 ? 0x0F : 0x07)
        for place in 1..<width { letter = letter << 6 | UInt32(unsafe bytes[place] & 0x3F) }
        return (letter, width)
    }
}
