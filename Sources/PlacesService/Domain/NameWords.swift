/// Words that a name must hold, each as the beginning of one of the name's words. All are folded, so that case and
/// accents do not matter.
struct NameWords: Hashable, Sendable {
    private static let space = UInt8(ascii: " ")

    /// Folded UTF-8, without spaces.
    let words: [[UInt8]]

    init() { words = [] }

    /// Takes folded text: words with single spaces between them.
    init(folded: [UInt8]) { words = folded.split(separator: Self.space).map(Array.init) }

    /// Whether every word begins a word of a search text.
    func match(_ text: UnsafeRawBufferPointer) -> Bool {
        words.allSatisfy { unsafe Self.hasWord(startingWith: $0, in: text) }
    }

    private static func hasWord(startingWith word: [UInt8], in text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while text.count - start >= word.count {
            if unsafe text[start..<(start + word.count)].elementsEqual(word) { return true }
            guard let gap = unsafe text[start...].firstIndex(of: space) else { return false }
            start = gap + 1
        }
        return false
    }
}
