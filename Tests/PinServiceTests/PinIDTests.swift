import Testing

@testable import PinService

@Suite("P1 Ids of pins are UUIDs of version 7")
struct PinIDTests {
    /// Gives the same number again and again.
    private struct Constant: RandomNumberGenerator {
        let number: UInt64
        mutating func next() -> UInt64 { number }
    }

    @Test("the time, the version, the variant and the random bits stand where RFC 9562 wants them")
    func layout() {
        var random = Constant(number: .max)
        #expect(
            "\(PinID(unixMilliseconds: 0x017f_22e2_79b0, using: &random))" == "017f22e2-79b0-7fff-bfff-ffffffffffff")
        random = Constant(number: 0)
        #expect(
            "\(PinID(unixMilliseconds: 0x017f_22e2_79b0, using: &random))" == "017f22e2-79b0-7000-8000-000000000000")
    }

    @Test("any time makes an id, also one before 1970 or far ahead", arguments: [Int64.min, -1, 0, .max])
    func anyTime(milliseconds: Int64) {
        let text = PinID.make(unixMilliseconds: milliseconds).description
        #expect(Array(text)[14] == "7")
        #expect("89ab".contains(Array(text)[19]))
    }

    @Test("ten thousand ids of one millisecond differ")
    func unique() {
        #expect(Set((0..<10_000).map { _ in PinID.make(unixMilliseconds: 1) }).count == 10_000)
    }

    @Test("ids are ordered by time, and like their text")
    func order() {
        let ids = (0..<200).map { PinID.make(unixMilliseconds: Int64($0 / 4)) }
        #expect(ids.sorted() == ids.sorted { "\($0)" < "\($1)" })
        #expect(PinID.make(unixMilliseconds: 5) < PinID.make(unixMilliseconds: 6))
    }

    @Test("an id is read back from its text, in either case")
    func roundTrip() {
        let id = PinID.make(unixMilliseconds: 1_720_000_000_000)
        #expect(PinID(id.description) == id)
        #expect(PinID(id.description.uppercased()) == id)
    }

    @Test(
        "what is no UUID is no id",
        arguments: [
            "", "1", "0190163d-8694-739b-aea5-966c26f8ad9", "0190163d-8694-739b-aea5-966c26f8ad911",
            "0190163d86940739b0aea50966c26f8ad910", "0190163g-8694-739b-aea5-966c26f8ad91",
            "0190163d-8694-739b-aea5-966c26f8ad9é", "0190163d-8694-739b-aea5-966c26f8ad9-",
            "{0190163d-8694-739b-aea5-966c26f8}",
        ])
    func refused(text: String) { #expect(PinID(text) == nil) }

    @Test("many of one time are different and ascend")
    func ascending() {
        let ids = PinID.ascending(10_000, unixMilliseconds: 1_720_000_000_000)
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(ids.allSatisfy { $0.low >> 62 == 2 && $0.high >> 12 & 0xf == 7 })
    }
}
