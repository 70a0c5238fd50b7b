/// What someone types, as terms that a name must have. The last word may not be typed to its end.
struct NameQuery {
    /// A term, or its beginning.
    struct Piece {
        let text: [UInt8]
        let isBeginning: Bool
        /// Nil where mistakes are not looked for.
        let spelling: TypedWord?
        /// Terms that may stand for it in a name.
        var respellings: [NameRespelling] = []
    }

    /// Queries with more words name nothing.
    static let maximumWords = QueryWords.maximum
    private static let maximumPieces = 40
    private static let blank = UInt8(ascii: " ")

    let pieces: [Piece]
    /// Measured as the size of a name.
    let size: Int
    /// Parts that a name must contain as they stand, in scripts without blanks.
    let parts: [[UInt8]]
    /// The whole text, folded.
    let folded: [UInt8]

    /// Takes folded text; nil for one without any term, or with too many words.
    /// - Parameter isTyping: whether the last word may be the beginning of one.
    /// - Parameter streets: how words of streets are shortened; nil to look for the words as they are only.
    init?(folded: some Collection<UInt8>, isTyping: Bool, _ streets: StreetWords? = nil) {
        self.folded = Array(folded)
        let words = self.folded.split(separator: Self.blank)
        guard 1...Self.maximumWords ~= words.count else { return nil }
        var pieces: [Piece] = []
        var parts: [[UInt8]] = []
        var size = 0
        for (number, word) in words.enumerated() {
            let isLast = number == words.count - 1
            let runs = NameTerms.runs(of: word)
            for (index, run) in runs.enumerated() {
                let mayGrow = isTyping && isLast && index == runs.count - 1
                if run.hasBlanks {
                    size += 1
                    let text = Array(NameTerms.bytes(run.letters))
                    let spelling = TypedWord(run.letters, isBeginning: mayGrow, isAlone: words.count == 1)
                    let others = runs.count > 1 ? nil : streets.map { NameRespelling.all(of: number, in: words, $0) }
                    pieces.append(
                        Piece(text: text, isBeginning: mayGrow, spelling: spelling, respellings: others ?? []))
                } else {
                    size += run.letters.count
                    parts.append(run.letters.flatMap { Array(String($0).utf8) })
                    pieces += Self.pairs(of: run.letters)
                }
            }
        }
        guard 1...Self.maximumPieces ~= pieces.count else { return nil }
        (self.pieces, self.parts, self.size) = (pieces, parts, size)
    }

    /// Each pair of neighbours; a single letter is the beginning of a pair, or a last letter.
    private static func pairs(of letters: ArraySlice<Unicode.Scalar>) -> [Piece] {
        guard letters.count > 1 else {
            return [Piece(text: Array(NameTerms.bytes(letters)), isBeginning: true, spelling: nil)]
        }
        return letters.indices.dropLast().map { index in
            Piece(text: Array(NameTerms.bytes(letters[index...index + 1])), isBeginning: false, spelling: nil)
        }
    }
}
