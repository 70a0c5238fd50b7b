/// Which words of two names are the same, and whether what is left tells two things apart.
struct NameMatch {
    /// How far apart, in metres, things may be at most that only a word tells apart.
    static let nearMetres = 80.0

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

    /// How much alike two names of one thing are.
    enum Likeness {
        /// They have the same words.
        case whole
        /// One has more.
        case part
    }

    /// How the names are those of one thing, when what has them is so far apart in metres; nil when they are not.
    func likeness(metres: Double) -> Likeness? {
        let isNear = metres <= Self.nearMetres
        let left = NameRest(one, ofOne, besides: other, isNear: isNear)
        let right = NameRest(other, ofOther, besides: one, isNear: isNear)
        if isCalledAfter || left.isDecisive || right.isDecisive { return nil }
        guard isSure else { return isOfCommonWords(left, right, isNear: isNear) ? .whole : nil }
        if left.isEmpty, right.isEmpty { return isOfTwoKinds ? nil : .whole }
        if areOfOtherCategories { return nil }
        switch (left.isEmpty, right.isEmpty) {
        case (false, true): return left.isExcused(isWhole: !ofOther.contains(false)) ? .part : nil
        case (true, false): return right.isExcused(isWhole: !ofOne.contains(false)) ? .part : nil
        default:
            // One source has added something, and the other one has more of the name.
            guard isNear, left.isAddition != right.isAddition else { return nil }
            return (left.isAddition ? right : left).isExcused(isWhole: false) ? .part : nil
        }
    }

    /// Names of common words alone, as "Community Hospital": they must have all of them, or near by those that don't
    /// say what both are.
    private func isOfCommonWords(_ left: NameRest, _ right: NameRest, isNear: Bool) -> Bool {
        if isOfTwoKinds || one.words.isEmpty { return false }
        if one.words.count == other.words.count, !ofOne.contains(false), !ofOther.contains(false) { return true }
        return isNear && left.isEmpty && right.isEmpty && ofOne.contains(true)
            && !one.categories.isDisjoint(with: other.categories)
    }

    private static func areLetters(_ one: PlaceName.Word, _ other: PlaceName.Word) -> Bool {
        !one.hasDigit && !other.hasDigit
    }

    /// Whether a word of the name proper is one that both have.
    private static func hasTelling(_ name: PlaceName, _ had: [Bool]) -> Bool {
        let isNumber = name.words.allSatisfy { !$0.isTelling || $0.hasDigit }
        return zip(name.words, had).contains { $0.isTelling && !$0.isOptional && (!$0.hasDigit || isNumber) && $1 }
    }

    /// Whether one is called after the other, as the station of a square or the parking of a shop.
    private var isCalledAfter: Bool {
        let (these, those) = (one.categories, other.categories)
        if these.isEmpty || those.isEmpty { return !these.union(those).isDisjoint(with: [.parking, .rental]) }
        return these.isDisjoint(with: those) && !these.union(those).isDisjoint(with: .calledAfter)
    }

    private var areOfOtherCategories: Bool {
        !one.categories.isEmpty && !other.categories.isEmpty && one.categories.isDisjoint(with: other.categories)
    }

    /// One name for two things: their categories tell them apart, and no word of the name says what both are. Of one
    /// with several words, which is rarely that of two things, only categories that contradict each other do.
    private var isOfTwoKinds: Bool {
        guard areOfOtherCategories, one.kinds.isDisjoint(with: other.kinds) else { return false }
        return one.words.count { $0.isTelling } == 1 || one.categories.contradict(other.categories)
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
