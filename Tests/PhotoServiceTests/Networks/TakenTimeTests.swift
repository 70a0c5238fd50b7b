import LiveNetworks
import Testing

@testable import PhotoService

@Suite("When a photo was taken, as networks write it")
struct TakenTimeTests {
    @Test(
        "R9 the offset of a moment, as it is written or by what the clock showed",
        arguments: [
            ("2025-05-01T12:00:00+02:00", 120), ("2025-05-01T06:30:00-03:30", -210), ("2025-05-01T10:00:00Z", nil),
            ("2025-05-01", nil), ("+02:00", nil), (nil, nil),
        ] as [(String?, Int?)])
    func offsets(text: String?, minutes: Int?) {
        #expect(TakenTime.offset(ofMoment: text) == minutes)
        let clock = TakenTime.offset(ofClock: text, at: 1_746_093_600_000)
        #expect(clock == (text?.contains("T") == true ? minutes ?? 0 : nil))
    }

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
