import Bytes

/// How the words of streets are shortened. Streets are looked up in the shortest form, so that it does not matter which
/// one an address has and which one someone types.
///
/// One list for all languages: a word that is short for several (`st` for street and for saint) stands for all of them,
/// which finds what is meant and hardly ever something else, as the rest of the name and the number have to be right.
struct StreetWords: Sendable {
    private static let blank = UInt8(ascii: " ")
    private static let between: Unicode.Scalar = "|"
    /// Letters before an ending: "Am Weg" is not a street called "Am".
    private static let fewestBefore = 3
    /// Letters of what may be short for something.
    private static let longestShort = 4
    private static let fewestOfEnding = 2

    /// The shortest form of each word.
    private var words: [[UInt8]: [UInt8]] = [:]
    /// The same for endings of one word, the longer ones first: "Hauptstraße", "Storgatan", "Aleksanterinkatu".
    private var endings: [(full: [UInt8], short: [UInt8])] = []
    /// All forms of each shortest one.
    private var forms: [[UInt8]: [[UInt8]]] = [:]
    private var formsOfEnding: [[UInt8]: [[UInt8]]] = [:]

    /// Without any: all words stay as they are.
    init() {}

    /// Reads the table in the folder of bundled data. Blocks.
    init(bundledIn folder: String) throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/streets/words.tsv.gz")
        let (kind, short, long) = (try table.column("kind"), try table.column("short"), try table.column("long"))
        while try table.next() {
            let (isEnding, form) = (try table.text(kind) == "ending", Array(try table.text(short).utf8))
            let full = try table.text(long).split(at: Self.between).map { Array($0.utf8) }
            if isEnding { formsOfEnding[form] = full + [form] } else { forms[form] = full + [form] }
            for word in full {
                if isEnding { endings.append((word, form)) } else { words[word] = form }
            }
        }
        endings.sort { $0.full.count > $1.full.count }
    }

    /// Other forms of a folded word: of a short one the long ones, and of a long one the short ones.
    func others(of word: [UInt8]) -> [[UInt8]] {
        if let all = forms[words[word] ?? word] { return Self.others(of: word, among: all) }
        for ending in endings
        where word.count >= ending.full.count + Self.fewestBefore && word.suffix(ending.full.count) == ending.full[...]
        {
            let all = (formsOfEnding[ending.short] ?? []).filter { $0.count >= Self.fewestOfEnding }
            let beginning = word.dropLast(ending.full.count)
            return Self.others(of: ending.full, among: all).map { beginning + $0 }
        }
        return []
    }

    private static func others(of word: [UInt8], among all: [[UInt8]]) -> [[UInt8]] {
        all.filter { $0 != word && (word.count <= longestShort || $0.count <= longestShort) }
    }

    /// A folded street with each word in its shortest form, without blanks.
    func shortest(_ street: some Collection<UInt8>) -> [UInt8] {
        street.split(separator: Self.blank).flatMap { word -> [UInt8] in
            let word = Array(word)
            if let short = words[word] { return short }
            for ending in endings
            where word.count >= ending.full.count + Self.fewestBefore
                && word.suffix(ending.full.count) == ending.full[...]
            {
                return word.dropLast(ending.full.count) + ending.short
            }
            return word
        }
    }
}
