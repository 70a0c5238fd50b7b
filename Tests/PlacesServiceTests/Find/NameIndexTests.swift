import Bytes
import Geo
import TestTools
import Testing
import Texts

@testable import PlacesService

@Suite("P50 An index of names")
struct NameIndexTests {
    /// Names without a place to speak of.
    private struct Anywhere: NamedThings {
        let whole = WholeName.ofPlace

        func position(of item: UInt32) -> Coordinate? { try? Coordinate(latitudeE7: 0, longitudeE7: Int32(item)) }
    }

    private static let syllables = [
        "kau", "pan", "tori", "ka", "tu", "hel", "sin", "ki", "new", "port", "san", "ta", "東", "京", "駅", "ワシ", "ン",
        "の", "ü", "é", "мос", "ква", "ال", "서울",
    ]

    private static func names(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let words = Int.random(in: 1...3, using: &random)
            return (0..<words).map { _ in
                (0...Int.random(in: 0...2, using: &random)).map { _ in syllables.randomElement(using: &random) ?? "" }
                    .joined()
            }.joined(separator: " ")
        }
    }

    private static func index(_ names: [String]) throws -> NameIndex {
        var builder = NameIndexBuilder()
        for (item, name) in names.enumerated() {
            builder.add(FoldedText(name).bytes, item: UInt32(item), points: 1)
        }
        return try NameIndex(memory: builder.bytes(of: 0))
    }

    private static func found(_ text: String, in index: NameIndex, mistyped: Bool = false) throws -> [FoundName] {
        guard let query = NameQuery(folded: FoldedText(text).bytes, isTyping: true) else { return [] }
        let search = NameSearch(query: query, index: index, things: Anywhere(), ranking: FindRanking(near: nil))
        return mistyped
            ? try search.mistypedNames(maximum: 100_000) { _ in } : try search.names(maximum: 100_000) { _ in }
    }

    /// The same by looking at each name: whole words in any order, the last one as a beginning. Only for words of
    /// scripts with blanks.
    private static func expected(_ text: String, in names: [String]) -> Set<UInt32> {
        let words = FoldedText(text).bytes.split(separator: UInt8(ascii: " "))
        return Set(
            names.indices.filter { item in
                let own = FoldedText(names[item]).bytes.split(separator: UInt8(ascii: " "))
                return words.dropLast().allSatisfy { own.contains($0) }
                    && own.contains { $0.starts(with: words.last ?? []) }
            }.map { UInt32($0) })
    }

    @Test("finds just the names that have all words, and one that begins as the last")
    func words() throws {
        let names = Self.names(3_000, seed: 7).filter { $0.unicodeScalars.allSatisfy { $0.value < 0x3000 } }
        let index = try Self.index(names)
        var random = SeededGenerator(seed: 8)
        for _ in 0..<300 {
            let name = names.randomElement(using: &random) ?? ""
            let words = name.split(separator: " ").shuffled(using: &random)
            let last = words.last.map { String($0.unicodeScalars.prefix(3)) } ?? ""
            let text = (words.dropLast().map(String.init) + [last]).joined(separator: " ")
            let found = Set(try Self.found(text, in: index).map(\.item))
            #expect(found == Self.expected(text, in: names), "\(text)")
        }
    }

    @Test("finds any part of a name in scripts without blanks, and whole words of mixed ones")
    func parts() throws {
        let names = ["ホテルワシントン", "東京駅", "京都", "Cafe 東京", "กรุงเทพมหานคร", "서울특별시", "Москва"]
        let index = try Self.index(names)
        for (text, expected) in [
            ("ワシントン", [0]), ("ワシ", [0]), ("東京", [1, 3]), ("京", [1, 2, 3]), ("駅", [1]), ("京都", [2]), ("cafe 東", [3]),
            ("กรุง", [4]), ("มหานคร", [4]), ("서울", [5]), ("мос", [6]), ("都京", []), ("x", []),
        ] {
            #expect(try Self.found(text, in: index).map { Int($0.item) }.sorted() == expected, "\(text)")
        }
    }

    @Test("finds mistyped words, the first and doubled last letters too, and says how many letters differ")
    func mistakes() throws {
        let index = try Self.index(["Paris", "Kauppatori", "Heathrow", "Amos Rex", "Bar"])
        for (text, item, changes) in [
            ("pariss", 0, 1), ("parsi", 0, 1), ("pqris", 0, 1), ("kaupatori", 1, 1), ("kaupattori", 1, 2),
            ("kaupatorii", 1, 2), ("jauppatori", 1, 1), ("heatrhow", 2, 1), ("heathrw", 2, 1), ("heathr", 2, -1),
            ("amso rex", 3, 1),
        ] {
            let exact = try Self.found(text, in: index)
            guard changes > 0 else {
                #expect(exact.map { Int($0.item) } == [item], "\(text)")
                continue
            }
            #expect(exact.isEmpty, "\(text)")
            let found = try Self.found(text, in: index, mistyped: true)
            #expect(found.map { Int($0.item) } == [item] && found.first?.changes == changes, "\(text): \(found)")
        }
        for text in ["qwertz", "bat", "marsi", "lexington", "12345"] {
            #expect(try Self.found(text, in: index, mistyped: true).isEmpty, "\(text)")
        }
    }

    @Test("keeps equal names of one thing once, and names of several files apart")
    func parted() throws {
        var builder = NameIndexBuilder()
        for name in ["Helsinki", "HELSINKI", "Helsingfors"] {
            builder.add(FoldedText(name).bytes, item: 7, points: 2)
        }
        builder.add([], item: 8, points: 1)
        #expect(builder.count == 2)
        let folder = TemporaryFolder()
        var writer = NameIndexWriter(path: folder.path + "/a", source: 1)
        try writer.add(FoldedText("Kamppi").bytes, item: 0, points: 1)
        let written = try writer.finish()
        #expect(written.count == 1 && written.first?.isLast == true)
        #expect(NameIndexWriter.open(path: folder.path + "/a", source: 1)?.map(\.count) == [1])
        #expect(NameIndexWriter.open(path: folder.path + "/a", source: 2) == nil, "names of another snapshot")
        #expect(NameIndexWriter.open(path: folder.path + "/b", source: 1) == nil)
    }

    @Test("does not use a file with a changed byte")
    func damaged() throws {
        let folder = TemporaryFolder()
        var writer = NameIndexWriter(path: folder.path + "/a", source: 1)
        for (item, name) in Self.names(50, seed: 3).enumerated() {
            try writer.add(FoldedText(name).bytes, item: UInt32(item), points: 1)
        }
        _ = try writer.finish()
        let path = folder.path + "/a.0.names"
        let bytes = try WholeFile.bytes(path)
        for at in stride(from: 0, to: bytes.count, by: 97) {
            var changed = bytes
            changed[at] ^= 0x41
            try WholeFile.write(changed, to: path)
            #expect(NameIndexWriter.open(path: folder.path + "/a", source: 1) == nil, "\(at)")
        }
        try WholeFile.write(Array(bytes.dropLast()), to: path)
        #expect(NameIndexWriter.open(path: folder.path + "/a", source: 1) == nil)
    }

    @Test("takes less than 60 bytes a name")
    func size() throws {
        let names = try BundledGazetteer.names()
        let (bytes, count) = (names.reduce(0) { $0 + $1.fileBytes }, names.reduce(0) { $0 + $1.count })
        print("names of the gazetteer: \(count), \(bytes) bytes, \(Double(bytes) / Double(count)) a name")
        #expect(count > 500_000 && bytes < 60 * count)
    }
}
