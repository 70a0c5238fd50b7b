import Texts

/// Reads the pieces of a name, one after the other, into words.
struct NameReader {
    private(set) var words: [PlaceName.Word] = []
    private var isAddition = false
    private var isOwner = false
    private var isInPlace = false

    mutating func add(_ piece: NamePieces.Piece) {
        if piece.isBehindHyphen, let last = words.last, !last.isTelling { isOwner = true }
        var small: [UInt8] = []
        for word in Self.joined(FoldedText(piece.text).words) {
            if WordTables.owners.contains(word) {
                (isOwner, isInPlace, small) = (true, true, word)
            } else if WordTables.additions.contains(word) {
                isAddition = isAddition || mayEnd
            } else if WordTables.fillers.contains(word) || isShopOfFood(word) {
                small = word
            } else {
                add(WordTables.full[word] ?? word, behind: small, isOptional: piece.isOptional)
                small = []
            }
        }
    }

    /// "Coffee shop" is "coffee".
    private func isShopOfFood(_ word: [UInt8]) -> Bool {
        guard WordTables.shops.contains(word), let last = words.last else { return false }
        return !last.kinds.isDisjoint(with: [.food, .market])
    }

    /// Whether what is there already may be a name.
    private var mayEnd: Bool {
        let telling = words.count { $0.isTelling }
        return telling > 2 || telling > 0 && words.contains { !$0.kinds.isEmpty }
    }

    private mutating func add(_ word: [UInt8], behind small: [UInt8], isOptional: Bool) {
        let kinds = KindWords.kinds(word)
        words.append(
            PlaceName.Word(
                bytes: word, whole: small + word, kinds: kinds, isQualifier: WordTables.qualifiers.contains(word),
                hasDigit: word.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) },
                isOptional: isOptional || isAddition || isInPlace && kinds.isEmpty && mayEnd,
                isOwner: isOptional || isOwner))
    }

    /// Initials are one word: "d l geary" is "dl geary".
    private static func joined(_ words: [[UInt8]]) -> [[UInt8]] {
        var joined: [[UInt8]] = []
        var isInitials = false
        for word in words {
            let isLetter = word.count == 1 && word[0] >= UInt8(ascii: "a")
            if isLetter, isInitials { joined[joined.count - 1] += word } else { joined.append(word) }
            isInitials = isLetter
        }
        return joined
    }
}

extension FoldedText {
    /// Its words, each as UTF-8.
    var words: [[UInt8]] { bytes.split(separator: UInt8(ascii: " ")).map(Array.init) }
}
