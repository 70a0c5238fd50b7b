import Testing

@testable import PhotoService

@Suite("P20 Which photos a collection shows")
struct CollectionChoiceTests {
    private typealias Candidate = CollectionChoice.Candidate

    private static func candidates(_ texts: [String], shown: [String: Int64] = [:]) throws -> [Candidate] {
        try texts.map { Candidate(id: try #require(PhotoID($0)), lastShown: shown[$0] ?? 0) }
    }

    private static func chosen(_ size: Int, _ texts: [String], shown: [String: Int64] = [:]) throws -> [String] {
        CollectionChoice.choose(size, from: try candidates(texts, shown: shown)).map(\.id.text)
    }

    @Test("the nearest first, none twice, no more than asked for")
    func nearest() throws {
        #expect(try Self.chosen(2, ["a/3", "a/1", "a/3", "a/2"]) == ["a/3", "a/1"])
        #expect(try Self.chosen(9, ["a/3", "a/1", "a/3"]) == ["a/3", "a/1"])
        #expect(try Self.chosen(1, []) == [])
    }

    @Test("one of each network in turn")
    func networks() throws {
        let texts = ["a/1", "a/2", "a/3", "b/1", "c/1", "b/2"]
        #expect(try Self.chosen(6, texts) == ["a/1", "b/1", "c/1", "a/2", "b/2", "a/3"])
    }

    @Test("those never shown first, then those shown the longest ago")
    func ages() throws {
        let texts = ["a/1", "a/2", "a/3", "a/4", "a/5"]
        let shown: [String: Int64] = ["a/1": 2, "a/2": 1, "a/3": 2, "a/4": 1]
        #expect(try Self.chosen(4, texts, shown: shown) == ["a/5", "a/2", "a/4", "a/1"])
    }
}
