/// The words of a name that another name does not have.
struct NameRest {
    private static let maximumExtraWords = 2
    private static let maximumAddedWords = 3

    private let name: PlaceName
    private let other: PlaceName
    private let isNear: Bool
    /// What is left of the name proper, and of what it says in brackets or behind a dash.
    private let extra: [Int]
    private let hasAddition: Bool
    /// Words that say that it is something else.
    private let kinds: [Int]
    /// The first and the last telling word that both have.
    private let first: Int
    private let last: Int
    /// The last word that both have, or that says what both are.
    private let end: Int
    /// Whether there is a number among them, as "Gate 5" is neither "Gate 6" nor "Gate"; or a word for a part.
    let isDecisive: Bool

    init(_ name: PlaceName, _ had: [Bool], besides other: PlaceName, isNear: Bool) {
        (self.name, self.other, self.isNear) = (name, other, isNear)
        let words = name.words
        let theirs = isNear ? other.kinds.union(other.categories) : other.kinds
        let missing = words.indices.filter { !had[$0] }
        let telling = missing.filter { words[$0].isTelling }
        extra = telling.filter { !words[$0].isOptional }
        hasAddition = extra.count < telling.count
        kinds = missing.filter { !words[$0].kinds.isEmpty && words[$0].kinds.isDisjoint(with: theirs) }
        isDecisive = missing.contains { index in
            let (word, isAddition) = (words[index], words[index].isOptional && !words[index].isOwner)
            if word.hasDigit {
                return !(word.isOptional && word.isOrdinal) && !other.words.contains { $0.bytes == word.bytes }
            }
            return word.kinds == .part && !isAddition && !theirs.contains(.part)
        }
        let both = words.indices.filter { had[$0] && words[$0].isTelling }
        (first, last) = (both.first ?? 0, both.last ?? 0)
        end = words.indices.last { had[$0] || !words[$0].kinds.isDisjoint(with: theirs) } ?? 0
    }

    /// Whether nothing is left that may tell two things apart.
    var isEmpty: Bool { extra.isEmpty && !hasAddition && kinds.isEmpty }
    /// Whether nothing is left but what its source adds to the name.
    var isAddition: Bool { extra.isEmpty && kinds.allSatisfy { name.words[$0].isOptional } }

    /// Whether it may be missing from the other name, which has nothing that this one does not have.
    /// - Parameter isWhole: whether this name has all words of the other one, also those that say little.
    func isExcused(isWhole: Bool) -> Bool {
        let words = name.words
        // A thing of another kind: the airport of a farm.
        if kinds.contains(where: { !words[$0].isOptional }), !(other.kinds.isEmpty && isNear) { return false }
        if extra.isEmpty { return true }
        if isNear, extra.count <= Self.maximumAddedWords, name.isOfOneBusiness(other) {
            if extra.allSatisfy({ $0 > last }) { return true }
            if other.words.count > 1, !other.categories.isEmpty, extra.allSatisfy({ $0 < first }) { return true }
        }
        if isWhole, other.mayBeCut(from: name), extra.allSatisfy({ $0 > last }) { return true }
        let isOfOneKind = words.contains { !$0.kinds.isDisjoint(with: other.kinds) }
        guard isOfOneKind, extra.count <= Self.maximumExtraWords, !words[first].isOwner else { return false }
        // Words before, as a first name is; or, near by, in the middle.
        return extra.allSatisfy { $0 < first } || isNear && extra.allSatisfy { $0 > first && $0 < end }
    }
}
