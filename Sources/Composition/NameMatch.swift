/// Which words of two names are the same, and whether what is left tells two things apart.
struct NameMatch {
    private let one: PlaceName
    private let other: PlaceName
    /// For each word of one name, whether the other one has it.
    private var ofOne: [Bool]
    private var ofOther: [Bool]
    /// Whether a telling word is written out in both, but for a letter.
    private var isSure = false

    init(_ one: PlaceName, _ other: PlaceName) {
        (self.one, self.other) = (one, other)
        ofOne = Array(repeating: false, count: one.words.count)
        ofOther = Array(repeating: false, count: other.words.count)
        pair { $0.bytes == $1.bytes }
        pair { $0.whole == $1.bytes || $0.bytes == $1.whole }
        WordRuns.join(one.words, &ofOne, other.words, &ofOther)
        WordRuns.join(other.words, &ofOther, one.words, &ofOne)
        pair { Self.areLetters($0, $1) && WordMatch.isSpelled($0.bytes, $1.bytes) }
        isSure = Self.hasTelling(one, ofOne) && Self.hasTelling(other, ofOther)
        pair { Self.areLetters($0, $1) && $0.kinds.isEmpty == $1.kinds.isEmpty && WordMatch.isSame($0.bytes, $1.bytes) }
        WordRuns.spellOut(one.words, &ofOne, other.words, &ofOther)
        WordRuns.spellOut(other.words, &ofOther, one.words, &ofOne)
        if one.mayBeCut(from: other) { WordRuns.complete(one.words, &ofOne, other.words, &ofOther) }
        if other.mayBeCut(from: one) { WordRuns.complete(other.words, &ofOther, one.words, &ofOne) }
    }

    /// Whether the names are those of one thing, when what has them is so far apart in metres.
    func isSame(metres: Double) -> Bool {
        let (left, right) = (NameRest(one, ofOne, besides: other), NameRest(other, ofOther, besides: one))
        if left.isDecisive || right.isDecisive || left.hasSomething && right.hasSomething { return false }
        guard isSure else {
            // Names of common words alone, as "Community Hospital", must have all of them.
            let isWhole = !one.words.isEmpty && !ofOne.contains(false) && !ofOther.contains(false)
            return isWhole && one.words.count == other.words.count && !isOfTwoKinds
        }
        if left.hasSomething { return left.isExcused(one, other, isWhole: !ofOther.contains(false), metres: metres) }
        if right.hasSomething { return right.isExcused(other, one, isWhole: !ofOne.contains(false), metres: metres) }
        return !isOfTwoKinds
    }

    private static func areLetters(_ one: PlaceName.Word, _ other: PlaceName.Word) -> Bool {
        !one.hasDigit && !other.hasDigit
    }

    /// Whether a word of the name proper is one that both have.
    private static func hasTelling(_ name: PlaceName, _ had: [Bool]) -> Bool {
        zip(name.words, had).contains { $0.isTelling && !$0.isOptional && $1 }
    }

    /// One name for two things, as a square and its station: their categories tell them apart.
    private var isOfTwoKinds: Bool {
        let (these, those) = (one.categories, other.categories)
        if these.isEmpty || those.isEmpty || !these.isDisjoint(with: those) { return false }
        if !these.union(those).isDisjoint(with: .calledAfter) { return true }
        return one.words.count { $0.isTelling } == 1 && one.kinds.isDisjoint(with: other.kinds)
    }

    private mutating func pair(_ isSame: (PlaceName.Word, PlaceName.Word) -> Bool) {
        for i in ofOne.indices where !ofOne[i] {
            for j in ofOther.indices where !ofOther[j] && isSame(one.words[i], other.words[j]) {
                (ofOne[i], ofOther[j]) = (true, true)
                break
            }
        }
    }
}
