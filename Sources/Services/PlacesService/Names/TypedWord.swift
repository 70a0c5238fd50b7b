/// A word that may be mistyped: letters added, left out, changed, or swapped with their neighbour.
struct TypedWord {
    private static let fewLetters = 4
    private static let manyLetters = 8
    /// From so many letters on the first one may be wrong too.
    private static let firstMayDiffer = 6
    private static let longest = 40

    /// Its letters.
    let letters: [UInt32]
    /// How many changes are tried.
    private(set) var allowed: Int
    /// Whether any term will do that begins nearly as the word.
    let isBeginning: Bool

    /// Nil for a word that is too short or too long.
    /// - Parameter isBeginning: whether any term will do that begins nearly as the word.
    /// - Parameter isAlone: whether no other word says what is meant; a short one is not changed then.
    init?(_ letters: ArraySlice<Unicode.Scalar>, isBeginning: Bool, isAlone: Bool) {
        let isNumber = letters.contains { "0"..."9" ~= $0 }
        let shortest = isAlone ? Self.fewLetters + 1 : Self.fewLetters
        guard shortest...Self.longest ~= letters.count, !isNumber else { return nil }
        self.letters = letters.map(\.value)
        self.isBeginning = isBeginning
        allowed = letters.count < Self.manyLetters ? 1 : 2
    }

    /// The same with other changes.
    func allowing(_ changes: Int) -> TypedWord {
        var word = self
        word.allowed = changes
        return word
    }

    /// The first letter, as UTF-8.
    var firstLetter: [UInt8] {
        letters.first.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) } ?? []
    }

    /// How a term may begin if the first letter is the wrong one, is missing, is one too many, or has changed places
    /// with the second one. Empty for short words, and in other scripts than Latin.
    var otherBeginnings: [[UInt8]] {
        let first = letters.prefix(3).compactMap { $0 < 0x80 ? UInt8($0) : nil }
        guard letters.count >= Self.firstMayDiffer, first.count == 3 else { return [] }
        let changed = (UInt8(ascii: "a")...UInt8(ascii: "z")).flatMap { [[$0, first[1]], [$0, first[0]]] }
        return Array(Set(changed + [[first[1], first[0]], [first[1], first[2]]])).filter { $0[0] != first[0] }
    }

    /// How well a term fits.
    struct Fit {
        /// How many letters have to be changed to make this word of it, or of its beginning.
        let changes: Int
        /// Whether they make all of it.
        let isWhole: Bool
    }
}
