import RPC
import Testing

@Suite("P35 How long a method usually takes")
struct UsualLatencyTests {
    private static func learned(_ milliseconds: some Sequence<UInt64>) -> UsualLatency {
        var usual = UsualLatency()
        for each in milliseconds { usual.add(each * 1_000_000) }
        return usual
    }

    @Test("is not known before twenty calls")
    func few() {
        #expect(Self.learned(1...19).duration == nil)
        #expect(Self.learned(1...20).duration != nil)
    }

    @Test("is at least what 95 of 100 calls took, and at most a fifth more", arguments: [1, 10, 1_000] as [UInt64])
    func percentile(unit: UInt64) throws {
        let duration = try #require(Self.learned((1...100).map { $0 * unit }.shuffled()).duration)
        #expect(duration >= .milliseconds(95 * Int(unit)))
        #expect(duration <= .milliseconds(95 * Int(unit)) * 1.2)
    }

    @Test("follows: what was once does not count for ever")
    func follows() throws {
        let duration = try #require(
            Self.learned(Array(repeating: 1_000, count: 3_000) + Array(repeating: 1, count: 30_000)).duration)
        #expect(duration < .milliseconds(2))
    }

    @Test("any number is counted")
    func extremes() throws {
        var usual = UsualLatency()
        for _ in 0..<20 { usual.add(.max) }
        #expect(try #require(usual.duration) > .seconds(1))
        for _ in 0..<1_000 { usual.add(0) }
        #expect(try #require(usual.duration) < .milliseconds(1))
    }
}
