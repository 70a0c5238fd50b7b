/// Whether two words are one word written in two ways.
enum WordMatch {
    static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        isSpelled(one, other) || isShortened(one, other) || isShortened(other, one)
    }

    /// The same, but for a letter.
    static func isSpelled(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one == other || isMistyped(one, other) || isSwapped(one, other) || isPlural(one, other) || isPlural(other, one)
    }

    /// "Joe's" is "Joe".
    private static func isPlural(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        other.count >= 3 && one.count == other.count + 1 && one.last == UInt8(ascii: "s") && one.starts(with: other)
    }

    /// "hist" and "hstrcl" are "historical": the beginning, or all consonants, or at least the first three.
    static func isShortened(_ short: [UInt8], _ long: [UInt8]) -> Bool {
        guard short.count >= 2, short.count < long.count, short[0] == long[0] else { return false }
        if short.count >= 4, long.starts(with: short) { return true }
        let (few, all) = (skeleton(short), skeleton(long))
        let isWhole = few == all && (few.count >= 3 || few.count == short.count)
        let isBeginning = few.count >= 3 && few.count == short.count && all.starts(with: few)
        return (isWhole || isBeginning) && isWithin(short, long)
    }

    /// The first letter, and the consonants behind it, doubled ones once.
    static func skeleton(_ word: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        for (index, byte) in word.enumerated() where index == 0 || !vowels.contains(byte) {
            if kept.last != byte { kept.append(byte) }
        }
        return kept
    }

    private static let vowels = Set("aeiou".utf8)

    private static func isWithin(_ short: [UInt8], _ long: [UInt8]) -> Bool {
        var rest = long[...]
        for byte in short {
            guard let index = rest.firstIndex(of: byte) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// Two letters next to each other in the other order.
    private static func isSwapped(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count, one.count >= 5, let at = one.indices.first(where: { one[$0] != other[$0] }),
            at > 0, at + 1 < one.count
        else { return false }
        return one[at] == other[at + 1] && one[at + 1] == other[at] && one[(at + 2)...] == other[(at + 2)...]
    }

    /// One letter too many, too few or another one, in words of at least six.
    private static func isMistyped(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard min(one.count, other.count) >= 5, max(one.count, other.count) >= 6, abs(one.count - other.count) <= 1
        else {
            return false
        }
        let begin = zip(one, other).prefix { $0 == $1 }.count
        let rest = min(one.count, other.count) - begin
        let end = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.prefix(rest).count
        return begin > 0 && max(one.count, other.count) - begin - end <= 1
    }
}
