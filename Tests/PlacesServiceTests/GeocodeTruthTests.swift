import Files
import TestTools
import Testing

@testable import PlacesService

@Suite("P15 Geocoding, proved by texts drawn by chance")
struct GeocodeTruthTests {
    /// One text, and what it names.
    private struct Case {
        let text: String
        let kind: String
        /// A country's code, or GeoNames' number of a town; empty for nothing.
        let expected: String
        let drawn: String

        init(_ line: Substring) throws {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 4)
            (text, kind, expected, drawn) = (fields[0], fields[1], fields[2], fields[3])
        }
    }

    private static let root = BundledDataTests.folder.dropLast("/Data".count)

    private static func cases() throws -> [Case] {
        let text = try WholeFile.text("\(root)/Tests/PlacesServiceTests/Vectors/geocode.tsv")
        return try text.split(separator: "\n").dropFirst().map(Case.init)
    }

    /// What the first match is, in the words of the cases.
    private static func answer(_ text: String, _ gazetteer: Gazetteer) -> (kind: String, id: String, name: String) {
        let question = GeocodeQuestion(words: QueryWords(text), limit: 1)
        guard let match = GazetteerSearch(gazetteer: gazetteer, question: question).matches().first else {
            return ("none", "", "nothing")
        }
        let record = match.record
        let id = record.kind == .town ? "\(record.sourceID)" : record.countryCode
        return ("\(record.kind)", id, gazetteer.text(record.name))
    }

    @Test("at least 98 of 100 texts are understood rightly, and the others are shown")
    func truth() throws {
        let gazetteer = try BundledGazetteer.open()
        let cases = try Self.cases()
        let failures = cases.compactMap { test -> String? in
            let answer = Self.answer(test.text, gazetteer)
            if answer.kind == test.kind, answer.id == test.expected { return nil }
            return
                "\(test.text)\t\(test.kind) \(test.expected)\t\(answer.kind) \(answer.id) \(answer.name)\t\(test.drawn)"
        }
        let report = (["text\texpected\tanswer\tdrawn"] + failures).joined(separator: "\n") + "\n"
        print("geocoding: \(cases.count - failures.count) of \(cases.count) right\n\(report)")
        try DiskFile.makeFolder("\(Self.root)/.build/test")
        try WholeFile.write(Array(report.utf8), to: "\(Self.root)/.build/test/geocode-failures.tsv")
        #expect(cases.count == 500)
        #expect(failures.count * 100 <= cases.count * 2)
    }
}
