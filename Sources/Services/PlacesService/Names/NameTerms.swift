/// How names and queries are cut into terms, which an index looks up.
///
/// A word is a term. Scripts that are written without blanks, as Chinese and Thai, have no words to go by: there every
/// pair of neighbouring letters is a term, and the last letter, so that any part of a name can be found.
enum NameTerms {
    /// Terms of more bytes are cut.
    static let longest = 64
    private static let blank = UInt8(ascii: " ")

    /// A part of a word whose letters are all of one kind.
    struct Run {
        let letters: ArraySlice<Unicode.Scalar>
        let hasBlanks: Bool
    }

    /// Calls `body` with each term of a folded name. Returns its size: its words, and in scripts without blanks its
    /// letters.
    @discardableResult
    static func forEach(in folded: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Void) -> Int {
        var size = 0
        for word in folded.split(separator: blank) {
            if word.allSatisfy({ $0 < 0x80 }) {
                size += 1
                body(word.prefix(longest))
                continue
            }
            for run in runs(of: word) {
                size += run.hasBlanks ? 1 : run.letters.count
                if run.hasBlanks { body(bytes(run.letters)) } else { pairs(of: run.letters, body) }
            }
        }
        return size
    }

    /// The parts of a folded word.
    static func runs(of word: ArraySlice<UInt8>) -> [Run] {
        let letters = Array(String(decoding: word, as: UTF8.self).unicodeScalars)
        var runs: [Run] = []
        var start = 0
        for index in letters.indices where index > start {
            guard hasBlanks(letters[index]) != hasBlanks(letters[start]) else { continue }
            runs.append(Run(letters: letters[start..<index], hasBlanks: hasBlanks(letters[start])))
            start = index
        }
        if start < letters.count {
            runs.append(Run(letters: letters[start...], hasBlanks: hasBlanks(letters[start])))
        }
        return runs
    }

    /// UTF-8 of letters, cut between two of them.
    static func bytes(_ letters: some Sequence<Unicode.Scalar>) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        for letter in letters {
            let next = Array(String(letter).utf8)
            if bytes.count + next.count > longest { break }
            bytes += next
        }
        return bytes[...]
    }

    private static func pairs(of letters: ArraySlice<Unicode.Scalar>, _ body: (ArraySlice<UInt8>) -> Void) {
        for index in letters.indices { body(bytes(letters[index...].prefix(2))) }
    }

    /// Whether a letter's script puts blanks between words.
    private static func hasBlanks(_ letter: Unicode.Scalar) -> Bool {
        switch letter.value {
        // Thai, Lao, Tibetan, Burmese, Khmer.
        case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF: false
        // Kana and Chinese characters.
        case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: false
        case 0x20000...0x323AF: false
        default: true
        }
    }
}
