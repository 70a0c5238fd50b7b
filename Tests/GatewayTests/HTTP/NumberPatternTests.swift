import Testing

@testable import Gateway

@Suite("Patterns of numbers")
struct NumberPatternTests {
    private static func matches(_ pattern: String, _ text: String) throws -> Bool {
        try Regex(pattern).wholeMatch(in: text) != nil
    }

    @Test("of whole numbers take those of the range and no others", arguments: [1...200, 0...9, 50...20_000, -12...7])
    func whole(range: ClosedRange<Int>) throws {
        let pattern = NumberPattern.whole(Int128(range.lowerBound)...Int128(range.upperBound))
        let regex = try Regex(pattern)
        let around = (range.lowerBound - 30)...(range.upperBound + 230)
        let wrong = around.filter { ((try? regex.wholeMatch(in: "\($0)")) != nil) != range.contains($0) }
        #expect(wrong.isEmpty, "\(pattern)")
    }

    @Test("of 64 bits end where these do")
    func large() throws {
        let pattern = NumberPattern.whole(0...Int128(UInt64.max))
        for text in ["0", "1", "18446744073709551615", "9999999999999999999", "+7", "007"] {
            #expect(try Self.matches(pattern, text), "\(text)")
        }
        for text in ["18446744073709551616", "20000000000000000000", "99999999999999999999", "-1", "", "1.0", "x"] {
            #expect(try !Self.matches(pattern, text), "\(text)")
        }
    }

    @Test("of decimal numbers take those of the range and no others")
    func decimal() throws {
        let cases: [(ClosedRange<Double>, [String], [String])] = [
            (-90...90, ["0", "-0.0", "89.999", "-90", "90.000", "9"], ["90.1", "-90.0001", "91", "1e1", "", "."]),
            (50...20_000, ["50", "50.5", "19999.9", "20000"], ["49.9", "20000.5", "0", "-50"]),
            (0.001...10, ["0.001", "0.0010001", "0.5", "1", "9.9", "10.0"], ["0", "0.0009", "10.01", "-1"]),
            (1e-7...180, ["0.0000001", "0.1", "180"], ["0.00000009", "0.0", "180.1"]),
        ]
        for (range, taken, refused) in cases {
            let pattern = NumberPattern.decimal(range, places: 17)
            for text in taken { #expect(try Self.matches(pattern, text), "\(text) in \(range): \(pattern)") }
            for text in refused { #expect(try !Self.matches(pattern, text), "\(text) in \(range): \(pattern)") }
        }
        let seconds = NumberPattern.decimal(0...5, places: 9, behind: "s")
        #expect(try Self.matches(seconds, "4.999999999s") && Self.matches(seconds, "5s") && Self.matches(seconds, "0s"))
        #expect(try Self.matches(seconds, "000000000003s") && !Self.matches(seconds, "0000000000003s"))
        #expect(try !Self.matches(seconds, "5.000000001s") && !Self.matches(seconds, "4.9999999999s"))
    }
}
