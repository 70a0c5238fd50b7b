/// What may stand in a name for a word of a text: "Street" for "st", the two words of "McDonald's" for "mcdonalds", and
/// the one of "Walmart" for both of "Wal-Mart".
struct NameRespelling {
    /// From so many letters on a word may be two, each of so many letters, or one of them the letter that a mark sets
    /// off.
    private static let fewestOfTwo = 3
    private static let fewestOfOne = 3
    /// With fewer letters two words are no one: "F St" is no code.
    private static let fewestJoined = 4
    /// Longer ones are not taken apart.
    private static let longestOfTwo = 32

    /// All of them are in the name.
    let terms: [[UInt8]]
    /// How many words the name has more than the text.
    let more: Int

    /// Those of one word of a text.
    static func all(of number: Int, in words: [ArraySlice<UInt8>], _ streets: StreetWords) -> [NameRespelling] {
        let word = Array(words[number])
        var all = streets.others(of: word).map { NameRespelling(terms: [$0], more: 0) }
        if fewestOfTwo...longestOfTwo ~= word.count, word.allSatisfy({ $0 < 0x80 }) {
            let cuts = (1..<word.count).filter { cut in
                let shorter = min(cut, word.count - cut)
                return shorter == 1 || shorter >= fewestOfOne
            }
            all += cuts.map { NameRespelling(terms: [Array(word[..<$0]), Array(word[$0...])], more: 1) }
            if let last = word.last, last == UInt8(ascii: "s") {
                all += cuts.filter { $0 < word.count - 1 }.map {
                    NameRespelling(terms: [Array(word[..<$0]), Array(word[$0..<word.count - 1]), [last]], more: 2)
                }
            }
        }
        if initials ~= word.count, word.allSatisfy({ $0 < 0x80 }) {
            all.append(NameRespelling(terms: word.map { [$0] }, more: word.count - 1))
        }
        if let spelled = spelledOut(number, words) { all.append(spelled) }
        // What is one word in the name stands for both.
        for pair in [number - 1, number] where words.indices.contains(pair) && words.indices.contains(pair + 1) {
            let joined = Array(words[pair] + words[pair + 1])
            guard fewestJoined...NameTerms.longest ~= joined.count, joined.allSatisfy({ $0 < 0x80 }) else { continue }
            all += ([joined] + streets.others(of: joined)).map { NameRespelling(terms: [$0], more: -1) }
        }
        return all
    }
}

extension NameRespelling {
    /// Letters of a word that may stand for words: "DPM" for "D.P.M.".
    private static var initials: ClosedRange<Int> { 3...5 }

    /// One word of the letters around one that stands alone: "tgi" of "T.G.I."; nil when it is the only one.
    private static func spelledOut(_ number: Int, _ words: [ArraySlice<UInt8>]) -> NameRespelling? {
        guard words[number].count == 1 else { return nil }
        let first = words[..<number].lastIndex { $0.count != 1 }.map { $0 + 1 } ?? 0
        let end = words[number...].firstIndex { $0.count != 1 } ?? words.count
        let letters = words[first..<end].flatMap { $0 }
        guard initials ~= letters.count, letters.allSatisfy({ $0 < 0x80 }) else { return nil }
        return NameRespelling(terms: [letters], more: 1 - letters.count)
    }
}

/// The names that have a text's words in another spelling.
struct RespelledNames {
    /// Those that have all words as they are written.
    private var literal: NameSet?
    /// By how many words they have more.
    private var sizes: [(more: Int, names: NameSet)] = []

    /// The names that have a respelling of a piece; nil without any.
    mutating func names(of piece: NameQuery.Piece, in index: NameIndex) -> NameSet? {
        var all: NameSet?
        var known: [[UInt8]: Range<Int>] = [:]
        func terms(_ text: [UInt8]) -> Range<Int> {
            if let terms = known[text] { return terms }
            let terms = index.terms(equalTo: text)
            known[text] = terms
            return terms
        }
        for respelling in piece.respellings {
            // Most are no words: the longest is looked for first.
            let texts = respelling.terms.sorted { $0.count > $1.count }
            guard texts.allSatisfy({ index.mayHave($0) && !terms($0).isEmpty }) else { continue }
            var names: NameSet?
            for term in texts.map(terms).sorted(by: { index.most(namesOf: $0) < index.most(namesOf: $1) })
            where names?.isEmpty != true {
                let own = index.names(of: term)
                names?.formIntersection(own)
                if names == nil { names = own }
            }
            guard let names, !names.isEmpty else { continue }
            all?.formUnion(names)
            if all == nil { all = names }
            if respelling.more != 0 { sizes.append((respelling.more, names)) }
        }
        return all
    }

    mutating func add(literal names: NameSet) {
        literal?.formIntersection(names)
        if literal == nil { literal = names }
    }

    func isLiteral(_ name: Int) -> Bool { literal?.contains(name) ?? true }

    /// How many words a name has besides those of a text of this size; 0 when these are all, though written apart or in
    /// one.
    func besides(_ name: Int, of size: Int, in query: Int) -> Int {
        if size == query || isLiteral(name) { return size - query }
        let isSame = sizes.contains { $0.more == size - query && $0.names.contains(name) }
        return isSame ? 0 : size - query
    }
}
