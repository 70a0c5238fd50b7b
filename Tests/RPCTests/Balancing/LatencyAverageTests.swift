import EventLoops
import RPC
import Testing

@Suite("P44 The latency of an address")
struct LatencyAverageTests {
    private static func at(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000_000 + UInt64(seconds * 1e9))
    }

    @Test("is not known before the first call, and then what that took")
    func first() {
        var average = LatencyAverage()
        #expect(average.estimate(at: Self.at(0)) == nil)
        average.add(5_000_000, at: Self.at(0))
        #expect(average.estimate(at: Self.at(0)) == 5_000_000)
    }

    @Test("moves to a new value by the same share in the same time, however many calls tell it", arguments: [20, 2000])
    func timeConstant(samples: Int) throws {
        var average = LatencyAverage()
        // Long enough to be more than the mean of its first samples.
        for index in 0...samples * 10 { average.add(0, at: Self.at(Double(index) / Double(samples))) }
        for index in 1...samples { average.add(1_000_000, at: Self.at(10 + Double(index) / Double(samples))) }
        let estimate = try #require(average.estimate(at: Self.at(11)))
        // After one time constant, 1 - 1/e.
        #expect(abs(estimate - 632_121) < 10_000)
    }

    @Test("is the plain mean of the first samples")
    func mean() throws {
        var average = LatencyAverage()
        for index in 0..<10 { average.add(index == 0 ? 10_000_000 : 1_000_000, at: Self.at(Double(index) / 1000)) }
        #expect(abs(try #require(average.estimate(at: Self.at(0.009))) - 1_900_000) < 1)
    }

    @Test("fades to 1/e in a second without a call")
    func fading() throws {
        var average = LatencyAverage()
        average.add(1_000_000, at: Self.at(0))
        #expect(abs(try #require(average.estimate(at: Self.at(1))) - 367_879) < 10)
    }

    @Test("hardly moves for one call among many that took long")
    func outlier() throws {
        var average = LatencyAverage()
        for index in 0...1000 { average.add(1_000_000, at: Self.at(Double(index) / 1000)) }
        average.add(1_000_000_000, at: Self.at(1.001))
        #expect(try #require(average.estimate(at: Self.at(1.001))) < 2_000_000)
    }
}
