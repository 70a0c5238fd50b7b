/// The words of a name that another name does not have.
struct NameRest {
    /// How far apart, in metres, things may be at most that only a word tells apart.
    private static let nearMetres = 40.0
    private static let mostExtraWords = 2

    private let telling: [Int]
    private let kinds: [Int]
    /// The first and the last telling word that both have.
    private let first: Int
    private let last: Int
    /// Whether there is a number among them, as "Gate 5" is neither "Gate 6" nor "Gate"; or a word for a part.
    let isDecisive: Bool

    init(_ name: PlaceName, _ had: [Bool], besides other: PlaceName) {
        let (words, theirs) = (name.words, other.kinds)
        let missing = words.indices.filter { !had[$0] }
        telling = missing.filter { words[$0].isTelling }
        kinds = missing.filter { !words[$0].kinds.isEmpty && words[$0].kinds.isDisjoint(with: theirs) }
        isDecisive = missing.contains { index in
            let isAddition = words[index].isOptional && !words[index].isOwner
            return words[index].hasDigit || words[index].kinds == .part && !isAddition
        }
        let both = words.indices.filter { had[$0] && words[$0].isTelling }
        (first, last) = (both.first ?? 0, both.last ?? 0)
    }

    /// Whether anything is left that may tell two things apart.
    var hasSomething: Bool { !telling.isEmpty || !kinds.isEmpty }

    /// Whether it may be missing from the other name, which has nothing that this one does not have.
    /// - Parameters:
    ///   - isWhole: whether this name has all words of the other one, also those that say little.
    func isExcused(_ name: PlaceName, _ shorter: PlaceName, isWhole: Bool, metres: Double) -> Bool {
        let (words, isNear) = (name.words, metres <= Self.nearMetres)
        // A thing of another kind: the airport of a farm.
        if kinds.contains(where: { !words[$0].isOptional }), !(shorter.kinds.isEmpty && isNear) { return false }
        let extra = telling.filter { !words[$0].isOptional }
        if extra.isEmpty { return true }
        if isWhole, shorter.mayBeCut(from: name), extra.allSatisfy({ $0 > last }) { return true }
        let isOfOneKind = words.contains { !$0.kinds.isDisjoint(with: shorter.kinds) }
        guard isOfOneKind, extra.count <= Self.mostExtraWords, !words[first].isOwner else { return false }
        // Words before, as a first name is; or, near by, in the middle.
        return extra.allSatisfy { $0 < first } || isNear && extra.allSatisfy { $0 > first && $0 < words.count - 1 }
    }
}
