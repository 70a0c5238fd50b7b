import LiveNetworks
import Testing

@testable import PhotoService

@Suite("When a photo was taken, as networks write it")
struct TakenTimeTests {
    @Test(
        "seconds that no calendar has are not known",
        arguments: [
            ("\"1431500000\"", 1_431_500_000_000), ("1431500000", 1_431_500_000_000), ("1e15", nil), ("\"x\"", nil),
            ("0", nil), ("-5", nil), ("99999999999999999999", nil),
        ] as [(String, Int64?)])
    func seconds(json: String, milliseconds: Int64?) throws {
        let numbers = try #require([LooseNumber](json: Array("[\(json)]".utf8)))
        #expect(TakenTime.ofSeconds(numbers.first) == milliseconds)
    }
}
