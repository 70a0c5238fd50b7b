/// Counts the changes between a word and the letters of a term as they come: optimal string alignment (Damerau 1964),
/// for all beginnings of the word at once in the bits of a number (Hyyrö 2003).
struct MistypedLetters {
    /// What is known after some letters of a term. A bit stands for each letter of the word.
    struct State {
        /// Where one letter more of the word takes one change more, and one less.
        fileprivate var more: UInt64 = .max
        fileprivate var less: UInt64 = 0
        /// Where the same number of changes as before one letter less of both is enough.
        fileprivate var same: UInt64 = 0
        /// Where the word has the last letter.
        fileprivate var last: UInt64 = 0
        fileprivate var lastLetter: UInt32 = 0
        fileprivate var depth = 0
        /// Changes that make the whole word of these letters.
        fileprivate(set) var whole: Int
        /// The least of these here, or after fewer letters.
        fileprivate(set) var best: Int
        /// The least changes that make any beginning of the word of these letters, and of all but the last; not exact
        /// where they are too many.
        fileprivate(set) var least = 0
        fileprivate var leastOfLast = 0
    }

    private let word: [UInt32]
    private let allowed: Int
    private let top: UInt64
    /// Where the word has each letter of ASCII.
    private var places = [UInt64](repeating: 0, count: 128)

    /// - Parameter word: at most 64 letters.
    init(_ word: TypedWord) {
        self.word = word.letters
        allowed = word.allowed
        top = 1 << UInt64(max(word.letters.count, 1) - 1)
        for (index, letter) in word.letters.enumerated() where letter < 0x80 {
            places[Int(letter)] |= 1 << UInt64(index)
        }
    }

    /// Before any letter.
    var start: State { State(whole: word.count, best: word.count) }

    private func places(of letter: UInt32) -> UInt64 {
        if letter < 0x80 { return places[Int(letter)] }
        var places: UInt64 = 0
        for (index, own) in word.enumerated() where own == letter { places |= 1 << UInt64(index) }
        return places
    }

    /// After one letter more.
    func next(_ old: State, _ letter: UInt32) -> State {
        let places = places(of: letter)
        var state = old
        let swapped = ((~old.same & places) << 1) & old.last
        state.same = (((places & old.more) &+ old.more) ^ old.more) | places | old.less | swapped
        let up = old.less | ~(state.same | old.more)
        let down = state.same & old.more
        if up & top != 0 { state.whole += 1 }
        if down & top != 0 { state.whole -= 1 }
        let (shifted, shiftedDown) = (up << 1 | 1, down << 1)
        state.more = shiftedDown | ~(state.same | shifted)
        state.less = shifted & state.same
        (state.last, state.lastLetter) = (places, letter)
        state.depth += 1
        state.best = min(old.best, state.whole)
        state.leastOfLast = old.least
        state.least = least(state)
        return state
    }

    /// Whether no letters that follow make the word, or what it begins with, with as few changes as are allowed. Two
    /// letters that have changed places are counted from the one before.
    func isHopeless(_ state: State) -> Bool { state.least > allowed && state.leastOfLast + 1 > allowed }

    /// Calls `body` with the changes of each beginning of the word that is not longer or shorter than the letters by
    /// more than is allowed: all others take more changes.
    private func forEachNear(_ state: State, _ body: (_ length: Int, _ changes: Int) -> Void) {
        let first = max(0, state.depth - allowed)
        guard first <= word.count else { return }
        let below: UInt64 = first >= 64 ? .max : 1 << UInt64(first) - 1
        var changes = state.depth + (state.more & below).nonzeroBitCount - (state.less & below).nonzeroBitCount
        var length = first
        while true {
            body(length, changes)
            length += 1
            guard length <= min(state.depth + allowed, word.count) else { return }
            let bit: UInt64 = 1 << UInt64(length - 1)
            changes += state.more & bit != 0 ? 1 : state.less & bit != 0 ? -1 : 0
        }
    }

    private func least(_ state: State) -> Int {
        var least = allowed + 1
        forEachNear(state) { least = min(least, $1) }
        return least
    }

    /// The least letter above `letter` that may follow where no more changes are possible; nil where none may.
    func nextLetter(above letter: UInt32, after state: State) -> UInt32? {
        var next: UInt32?
        func take(_ own: UInt32) {
            if own > letter, own < next ?? .max { next = own }
        }
        forEachNear(state) { length, changes in
            if length < word.count, changes <= allowed { take(word[length]) }
            // The letter before this one, where this one has come already.
            if length > 0, length < word.count, word[length] == state.lastLetter { take(word[length - 1]) }
        }
        return next
    }

    /// Whether another change would be one too many.
    func isTight(_ state: State) -> Bool { state.least >= allowed }
}
