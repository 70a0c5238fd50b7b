import TestTools
import Testing
import Texts

@testable import PlacesService

@Suite("P50 Mistyped words beside the terms of an index")
struct SpellingWalkTests {
    private static let letters = ["a", "b", "c", "é", "д"]

    private static func word(_ lengths: ClosedRange<Int>, using random: inout SeededGenerator) -> String {
        (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
    }

    /// The changes between a word and each beginning of a term, the whole term last: optimal string alignment by its
    /// table.
    private static func changes(_ word: [UInt32], _ term: [UInt32]) -> [Int] {
        var table = Array(repeating: Array(repeating: 0, count: term.count + 1), count: word.count + 1)
        for row in 0...word.count {
            for column in 0...term.count {
                guard row > 0, column > 0 else {
                    table[row][column] = row + column
                    continue
                }
                let isSame = word[row - 1] == term[column - 1]
                var least = min(table[row - 1][column], table[row][column - 1]) + 1
                least = min(least, table[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, word[row - 1] == term[column - 2], word[row - 2] == term[column - 1] {
                    least = min(least, table[row - 2][column - 2] + 1)
                }
                table[row][column] = least
            }
        }
        return table[word.count]
    }

    private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    @Test("are those that differ by so few letters, to their end or to their best beginning", arguments: [true, false])
    func same(isBeginning: Bool) throws {
        var random = SeededGenerator(seed: 11)
        var builder = NameIndexBuilder()
        let names = Set((0..<4_000).map { _ in Self.word(1...11, using: &random) })
        for (item, name) in names.sorted().enumerated() {
            builder.add(Array(name.utf8), item: UInt32(item), points: 1)
        }
        let index = try NameIndex(memory: builder.bytes(of: 0))
        let range = index.terms(beginningWith: [])
        let terms = range.map { term in
            String(decoding: index.withTerm(term) { Array($0) }, as: UTF8.self)
        }
        #expect(terms.count == names.count)
        for _ in 0..<150 {
            let text = Self.word(4...10, using: &random)
            let word = try #require(
                TypedWord(Array(text.unicodeScalars)[...], isBeginning: isBeginning, isAlone: false))
            var walk = SpellingWalk(word)
            var found: [Int: String] = [:]
            for run in try walk.fits(in: range, of: index, { _ in }) {
                for term in run.terms { found[term] = "\(run.fit.changes)" }
            }
            var expected: [Int: String] = [:]
            for (term, name) in zip(range, terms) {
                let all = Self.changes(Self.scalars(text), Self.scalars(name))
                let changes = isBeginning ? all.min() : all.last
                if let changes, changes <= word.allowed { expected[term] = "\(changes)" }
            }
            #expect(found == expected, "\(text)")
        }
    }
}
