import Texts

/// The words of a place's name, and what they say.
struct PlaceName: Sendable {
    /// One of them.
    struct Word: Sendable {
        let bytes: [UInt8]
        /// With the small word before it: "de witt" may be "dewitt".
        let whole: [UInt8]
        /// What it says that the thing is; nothing when it is of the name proper.
        let kinds: Kinds
        /// It says little: one source has it, another one leaves it out.
        let isQualifier: Bool
        let hasDigit: Bool
        /// It counts, as streets are: "20th".
        var isOrdinal: Bool {
            hasDigit && ["st", "nd", "rd", "th"].contains { bytes.suffix(2).elementsEqual($0.utf8) }
        }
        /// It stands in brackets, or behind a dash, a comma or "and", where a name may also end; or behind "of", unless
        /// it says what the thing is.
        let isOptional: Bool
        /// It stands behind "of", a hyphen or in brackets: what is before may be only a part of it.
        let isOwner: Bool

        /// Whether it belongs to the name proper.
        var isTelling: Bool { kinds.isEmpty && !isQualifier }
    }

    /// Of longer names only the beginning is looked at.
    private static let maximumBytes = 160
    private static let maximumWords = 16
    private static let maximumAlternatives = 4
    /// Sources that cut names keep at least so much.
    private static let shortestCutBytes = 28

    /// Without those that say nothing, as "the" and "Ltd".
    let words: [Word]
    /// What its source says that the thing is, apart from its name.
    let categories: Kinds
    /// Other names in the same text, each between slashes, dashes or brackets.
    let alternatives: [PlaceName]
    private let byteCount: Int

    /// - Parameter categories: from its source.
    init(_ name: String, categories: Kinds) {
        self.categories = categories
        byteCount = name.utf8.count
        let pieces = NamePieces.of(name.prefix(bytes: Self.maximumBytes))
        words = Self.words(pieces)
        let parts = NamePieces.alternatives(pieces).prefix(Self.maximumAlternatives)
        alternatives = parts.count < 2 ? [] : parts.map { PlaceName(part: Self.words($0), categories: categories) }
    }

    private init(part words: [Word], categories: Kinds) {
        (self.words, self.categories, alternatives, byteCount) = (words, categories, [], 0)
    }

    private static func words(_ pieces: [NamePieces.Piece]) -> [Word] {
        var reader = NameReader()
        for piece in pieces { reader.add(piece) }
        return Array(reader.words.prefix(maximumWords))
    }

    /// What the thing is: by its name, or else by its categories.
    var kinds: Kinds {
        let said = words.reduce(into: Kinds()) { if !$1.isOptional { $0.formUnion($1.kinds) } }
        return said.isEmpty ? categories : said
    }

    /// Whether both are businesses of one kind.
    func isOfOneBusiness(_ other: PlaceName) -> Bool {
        let (these, those) = (kinds.union(categories), other.kinds.union(other.categories))
        if these.isEmpty || those.isEmpty { return !these.union(those).isDisjoint(with: .businesses) }
        return !these.intersection(those).isDisjoint(with: .businesses)
    }

    /// The beginnings of its telling words, each once; names that are alike have one in common.
    var keys: [UInt32] {
        let telling = words.filter(\.isTelling)
        return (telling.isEmpty ? words : telling).flatMap { [Self.key($0.bytes), Self.key($0.whole)] }
            .reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) } }
    }

    private static func key(_ word: [UInt8]) -> UInt32 { word.prefix(2).reduce(1) { $0 << 8 | UInt32($1) } }

    /// Whether it may be the other name, cut to some length.
    func mayBeCut(from other: PlaceName) -> Bool { byteCount >= Self.shortestCutBytes && byteCount < other.byteCount }

    /// What the paths of categories say: "amenity/cafe".
    static func kinds(of paths: [String]) -> Kinds {
        paths.prefix(4).reduce(into: []) { kinds, path in
            for word in FoldedText(path.prefix(bytes: maximumBytes)).words { kinds.formUnion(KindWords.kinds(word)) }
        }
    }
}

extension String {
    /// The beginning, at most so many bytes. Counts no characters: one may be megabytes of accents.
    fileprivate func prefix(bytes count: Int) -> String {
        utf8.count <= count ? self : String(decoding: utf8.prefix(count), as: UTF8.self)
    }
}
