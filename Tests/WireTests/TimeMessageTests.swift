import Testing
import Wire

@Suite("Durations and timestamps as messages")
struct TimeMessageTests {
    @Test(
        "keep nanoseconds, either way",
        arguments: [.zero, .nanoseconds(1), .milliseconds(-1500), .seconds(86_400 * 365)] as [Duration])
    func durations(duration: Duration) {
        #expect(DurationMessage(duration).duration == duration)
    }

    @Test("cut what is finer than a nanosecond, and what is longer than can be said")
    func durationLimits() {
        #expect(DurationMessage(Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999)).nanos == 1)
        #expect(DurationMessage(.seconds(Int64.max)).seconds == 315_576_000_000)
        #expect(DurationMessage(.seconds(Int64.min)).seconds == -315_576_000_000)
    }

    @Test("that no duration has are nil", arguments: Self.notDurations)
    func invalidDurations(seconds: Int64, nanos: Int32) {
        #expect(DurationMessage(seconds: seconds, nanos: nanos).duration == nil)
    }

    static let notDurations: [(Int64, Int32)] = [
        (1, -1), (-1, 1), (0, 1_000_000_000), (0, .min), (315_576_000_001, 0), (.min, 0),
    ]

    @Test(
        "count milliseconds from 1970, before it too",
        arguments: [0, 1, -1, -1000, -1001, 1_715_949_000_250, -62_135_596_800_000])
    func timestamps(milliseconds: Int64) {
        let message = TimestampMessage(unixMilliseconds: milliseconds)
        #expect(message.unixMilliseconds == milliseconds)
        #expect((0..<1_000_000_000).contains(message.nanos))
    }

    @Test("outside the years 1 to 9999 are nil", arguments: Self.notTimestamps)
    func invalidTimestamps(seconds: Int64, nanos: Int32) {
        #expect(TimestampMessage(seconds: seconds, nanos: nanos).unixMilliseconds == nil)
    }

    static let notTimestamps: [(Int64, Int32)] = [
        (-62_135_596_801, 0), (253_402_300_800, 0), (0, -1), (0, 1_000_000_000), (.max, 0),
    ]
}
