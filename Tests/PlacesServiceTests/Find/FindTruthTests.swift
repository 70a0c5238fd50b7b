import PlaceContracts
import Files
import Geo
import RPC
import TestTools
import Testing
import Texts
import Wire

@testable import PlacesService

@Suite("P50 Finding, proved by names drawn by chance", .serialized)
struct FindTruthTests {
    /// A text as someone may type it, and the name that is meant.
    struct Case {
        let text: String
        let name: String
        let how: String
        /// Folded, other names that the same text begins: it can't tell which is meant.
        var same: Set<[UInt8]> = []
    }

    private static let root = BundledDataTests.folder.dropLast("/Data".count)
    private static let drawn = 500

    /// Names of a bundled table, each once.
    private static func names(_ table: String) throws -> [String] {
        var rows = try BundledTable(path: "\(BundledDataTests.folder)/\(table).tsv.gz")
        let name = try rows.column("name")
        var names: [String] = []
        var seen: Set<[UInt8]> = []
        while try rows.next() {
            let text = try rows.text(name)
            if seen.insert(FoldedText(text).bytes).inserted { names.append(text) }
        }
        return names
    }

    /// Respells names by rules, by chance: the same each time.
    private static func cases(_ names: [String], seed: UInt64) -> [Case] {
        var random = SeededGenerator(seed: seed)
        let all = names.map { FoldedText($0).bytes }
        return names.shuffled(using: &random).prefix(drawn).map { name in
            let folded = FoldedText(name).bytes
            let letters = name.unicodeScalars.count
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return Case(text: String(decoding: folded, as: UTF8.self), name: name, how: "folded")
            case 1: return Case(text: name.uppercased(), name: name, how: "capitals")
            case 2 where letters >= 8:
                let text = String(name.unicodeScalars.dropLast(2))
                return Case(text: text, name: name, how: "beginning", same: all.begun(by: text))
            case 3 where letters >= 8:
                return Case(text: mistyped(name, &random), name: name, how: "mistyped")
            default: return Case(text: name, name: name, how: "as it is")
            }
        }
    }

    /// One letter in the longest word is left out, doubled or swapped with the next one.
    static func mistyped(_ name: String, _ random: inout SeededGenerator) -> String {
        var words = name.split(separator: " ").map { Array($0) }
        guard let longest = words.indices.max(by: { words[$0].count < words[$1].count }), words[longest].count >= 6
        else { return name }
        let at = Int.random(in: 1..<words[longest].count - 1, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: words[longest].remove(at: at)
        case 1: words[longest].insert(words[longest][at], at: at)
        default: words[longest].swapAt(at, at + 1)
        }
        return words.map { String($0) }.joined(separator: " ")
    }

    /// Keeps the failures where a person can look at them; returns how many there were. Of places that are called the
    /// same any one is right, as is any one whose name a text begins that was not typed to its end.
    static func failures(
        _ cases: [Case], _ service: TestService, near: BaseContracts.Coordinate?, report: String
    ) async throws -> Int {
        var lines: [String] = []
        for test in cases {
            let first = try await FindTests.find(service, test.text, near: near).first
            let name = first.map { FoldedText($0.name).bytes } ?? []
            // "3 A" is "3a", and "Vin-Vin" may be "Vinvin".
            let isSame = NameKey.letters(name[...]) == NameKey.letters(FoldedText(test.name).bytes[...])
            if isSame || test.same.contains(name) { continue }
            let answer = first.map { "\($0.name), \($0.context)" } ?? "nothing"
            lines.append("\(test.text)\t\(test.name)\t\(answer)\t\(test.how)")
        }
        let text = (["text\texpected\tanswer\tdrawn"] + lines).joined(separator: "\n") + "\n"
        print("\(report): \(cases.count - lines.count) of \(cases.count) right\n\(text)")
        try DiskFile.makeFolder("\(root)/.build/test")
        try WholeFile.write(Array(text.utf8), to: "\(root)/.build/test/\(report).tsv")
        return lines.count
    }

    @Test("at least 97 of 100 names of a city's places, respelled by rules, are found at the first place")
    func names() async throws {
        try await FindTests.run { service async throws in
            let cases = Self.cases(try Self.names("helsinki/places"), seed: 30)
            let failures = try await Self.failures(cases, service, near: FindTests.centre, report: "find-failures")
            #expect(cases.count == Self.drawn && failures * 100 <= cases.count * 3)
        }
    }

    /// Printed, not demanded: other work may slow the machine down.
    @Test("beginnings of any length are found among the gazetteer's million names, and how long that takes is shown")
    func beginnings() throws {
        let gazetteer = try BundledGazetteer.open()
        let sources = FindSources(
            view: CatalogView([]), gazetteer: gazetteer, gazetteerNames: try BundledGazetteer.names(),
            addresses: StreetAddresses(), names: PlaceNames(), kinds: KindTable())
        var random = SeededGenerator(seed: 31)
        let near = try Geo.Coordinate(latitude: 60.17, longitude: 24.94)
        var times: [Duration] = []
        for name in try Self.names("towns/towns").shuffled(using: &random).prefix(150) {
            for length in 1...min(name.unicodeScalars.count, 10) {
                let text = FoldedText(String(name.unicodeScalars.prefix(length))).bytes
                guard let query = NameQuery(folded: text, isTyping: true) else { continue }
                let search = NamesSearch(query: query, sources: sources, ranking: FindRanking(near: near))
                let start = ContinuousClock.now
                let hits = try search.hits { _ in }
                times.append(ContinuousClock.now - start)
                #expect(!hits.isEmpty, "\(name), \(length) letters")
            }
        }
        times.sort()
        print("\(times.count) beginnings: p50 \(times[times.count / 2]), p99 \(times[times.count * 99 / 100])")
        print("the slowest \(times.last ?? .zero)")
    }
}

extension [[UInt8]] {
    /// Those that begin with a text.
    fileprivate func begun(by text: String) -> Set<[UInt8]> {
        let beginning = FoldedText(text).bytes
        return Set(filter { $0.starts(with: beginning) })
    }
}
