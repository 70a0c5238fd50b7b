import Testing

@testable import JSONStream

@Suite("JSON as values")
struct JSONValueTests {
    private static func read(_ text: String) throws(JSONValueError) -> JSONValue {
        try JSONValue(reading: Array(text.utf8))
    }

    @Test("is what its text says")
    func values() throws {
        let value = try Self.read(#" {"a":[1,-2.5e3,"é\n",true,null,{}],"b":{"c":[]}} "#)
        #expect(
            value
                == .object([
                    "a": .array([
                        .number("1"), .number("-2.5e3"), .string("é\n"), .literal(.yes), .literal(.null), .object([:]),
                    ]), "b": .object(["c": .array([])]),
                ]))
        let text = try Self.read(#""\ud83d\ude00""#)
        #expect(text == .string("😀"))
    }

    @Test("what is no JSON, or could be read in two ways, is refused")
    func refused() {
        for text in [
            "", " ", "{", "[1,]", "{\"a\":1}x", "tru", "01", "+1", "NaN", "\"\t\"", "\"\\ud800\"", "/**/1", "[1 2]",
        ] {
            #expect(throws: JSONValueError.self, "\(text)") { try Self.read(text) }
        }
        #expect(throws: JSONValueError("it is not UTF-8")) { try JSONValue(reading: [0x22, 0xff, 0x22]) }
        #expect(throws: JSONValueError("it is not UTF-8")) { try JSONValue(reading: [0x22, 0xc0, 0x80, 0x22]) }
        #expect(throws: JSONValueError("a member is there twice")) { try Self.read(#"{"a":{"b":1,"b":1}}"#) }
    }

    @Test("a count is a number that is not negative, rounded down, and exact")
    func counts() throws {
        let counts = try ["0", "1.9", "1e3", "9007199254740992", "-1", "9007199254740994", "1e999", "\"1\"", "true"]
            .map { try Self.read("[\($0)]").array?.first?.count }
        #expect(counts == [0, 1, 1000, 9_007_199_254_740_992, nil, nil, nil, nil, nil])
    }

    @Test("texts are compared byte for byte")
    func bytes() {
        // A K, and the sign of a kelvin, which Swift takes as equal.
        #expect("K" == "\u{212A}")
        #expect(!JSONValue.string("\u{212A}").isString("K"))
        #expect(JSONValue.string("K").isString("K") && !JSONValue.number("1").isString("1"))
    }
}
