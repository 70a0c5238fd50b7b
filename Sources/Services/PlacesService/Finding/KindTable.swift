import Bytes
import Texts

/// What people call kinds of places, in many languages: "Tankstelle", "coffee"; signs for them; and what
/// they write around such a word.
struct KindTable: Sendable {
    /// What a word means.
    struct Kind: Hashable, Sendable {
        /// Categories, as UTF-8: "amenity/cafe", "shop/coffee".
        let paths: [[UInt8]]
        /// What is eaten there, as an attribute or the name says; empty for all places of these categories.
        let cuisine: [UInt8]
    }

    private static let blank = UInt8(ascii: " ")
    /// Letters that begin a word; of scripts that write a word with few, one is enough.
    private static let fewestBytes = 3
    /// Kinds that the beginning of a word may mean.
    private static let maximumBegun = 6
    private static let maximumAround = 6

    private var kinds: [Kind] = []
    /// Folded, in the order of their bytes, each with the indexes of its kinds.
    private var words: [(text: [UInt8], kinds: [Int])] = []
    /// A word for each sign.
    private var signs: [Unicode.Scalar: String] = [:]
    /// What says that the nearest are meant, folded, the longest first.
    private var near: [[UInt8]] = []
    private var articles: Set<[UInt8]> = []

    /// Without any: a text names no kind.
    init() {}

    /// Reads the table in the folder of bundled data. Blocks.
    init(bundledIn folder: String) throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/kinds/words.tsv.gz")
        let (column, cuisine) = (try table.column("kinds"), try table.column("cuisine"))
        let (language, words) = (try table.column("language"), try table.column("words"))
        var found: [[UInt8]: [Int]] = [:]
        var numbers: [Kind: Int] = [:]
        var newSigns: [Unicode.Scalar] = []
        while try table.next() {
            let texts = try table.text(words).split(at: "|").map(String.init)
            let folded = texts.map { FoldedText($0).bytes }.filter { !$0.isEmpty }
            switch try table.text(column) {
            case "near": near += folded
            case "article": articles.formUnion(folded)
            case let paths:
                if try table.text(language) == "sign" {
                    newSigns = texts.flatMap { Array($0.unicodeScalars) }
                    continue
                }
                // The row behind the signs has the word that stands for them.
                for sign in newSigns { signs[sign] = texts.first }
                newSigns = []
                let kind = Kind(
                    paths: paths.split(at: ";").map { Array($0.utf8) }, cuisine: Array(try table.text(cuisine).utf8))
                let number = numbers[kind] ?? kinds.count
                if number == kinds.count { kinds.append(kind) }
                numbers[kind] = number
                for word in folded where found[word]?.contains(number) != true {
                    found[word, default: []].append(number)
                }
            }
        }
        self.words = found.map { (text: $0.key, kinds: $0.value) }.sorted { $0.text.lexicographicallyPrecedes($1.text) }
        near.sort { $0.count > $1.count }
    }

    /// A text with a word for each sign: "☕ near Kamppi".
    func spelled(_ text: String) -> String {
        guard !signs.isEmpty, text.unicodeScalars.contains(where: { signs[$0] != nil }) else { return text }
        return text.unicodeScalars.map { sign in signs[sign].map { " \($0) " } ?? String(sign) }.joined()
    }

    /// Folded text without what says that the nearest are meant: "nearest pharmacy", "pubs near me". The same text when
    /// nothing says so, or nothing else is left.
    func withoutNear(_ folded: [UInt8]) -> [UInt8] {
        var rest = folded[...]
        for _ in 0..<Self.maximumAround {
            let text = rest
            guard let next = withoutPhrase(text) else { break }
            rest = next
        }
        return Array(rest)
    }

    /// "die nächste" is left out with its article.
    private func withoutPhrase(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if let rest = near.lazy.compactMap({ Self.without($0, text) }).first { return rest }
        guard let end = text.firstIndex(of: Self.blank), articles.contains(Array(text[..<end])) else { return nil }
        let behind = text[(end + 1)...]
        return near.lazy.filter { behind.starts(with: $0) }.compactMap { Self.without($0, behind) }.first
    }

    /// What is left without a phrase at one end; nil when it is at none, or nothing is left. In scripts without blanks
    /// nothing stands between them.
    private static func without(_ phrase: [UInt8], _ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.count > phrase.count, isAtOneEnd(of: text, phrase) else { return nil }
        let between = phrase[0] < 0xE3 ? [blank] : []
        if text.starts(with: phrase + between), text.count > phrase.count + between.count {
            let rest = text.dropFirst(phrase.count + between.count)
            return rest.first == blank ? rest.dropFirst() : rest
        }
        if text.suffix(phrase.count + between.count).elementsEqual(between + phrase),
            text.count > phrase.count + between.count
        {
            let rest = text.dropLast(phrase.count + between.count)
            return rest.last == blank ? rest.dropLast() : rest
        }
        return nil
    }

    /// Nearly no phrase is.
    private static func isAtOneEnd(of text: ArraySlice<UInt8>, _ phrase: [UInt8]) -> Bool {
        (text.first == phrase.first && text.starts(with: phrase))
            || (text.last == phrase.last && text.suffix(phrase.count).elementsEqual(phrase))
    }

    /// The kinds that folded words name; `isWhole` is false when they only begin to, and `hasArticle` says that one was
    /// left out, as it may belong to a name.
    func kinds(of folded: some Collection<UInt8>) -> (kinds: [Kind], isWhole: Bool, hasArticle: Bool) {
        var text = Array(folded)
        while true {
            let first = first(notBelow: text)
            if first < words.count, words[first].text == text {
                return (words[first].kinds.map { kinds[$0] }, true, text.count < folded.count)
            }
            guard let end = text.firstIndex(of: Self.blank), articles.contains(Array(text[..<end])) else { break }
            text.removeFirst(end + 1)
        }
        guard text.count >= Self.fewestBytes else { return ([], false, false) }
        var begun: [Int] = []
        for word in words[first(notBelow: text)...] {
            guard word.text.starts(with: text), begun.count < Self.maximumBegun else { break }
            for kind in word.kinds where !begun.contains(kind) { begun.append(kind) }
        }
        return (begun.map { kinds[$0] }, false, text.count < folded.count)
    }

    private func first(notBelow text: [UInt8]) -> Int {
        var (low, high) = (0, words.count)
        while low < high {
            let middle = (low + high) / 2
            if words[middle].text.lexicographicallyPrecedes(text) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
