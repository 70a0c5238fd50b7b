import TestTools
import Testing

@testable import EventLoops

@Suite("P33 A loop that waits")
struct BusyWaitTests {
    private static let short: UInt64 = 20_000
    private static let long: UInt64 = 5_000_000

    /// A wait of so many nanoseconds: what comes while it looks is seen, unless it can only come during sleep.
    private static func wait(_ busyWait: inout BusyWait, _ nanoseconds: UInt64, isSeen: Bool = true) {
        busyWait.ended(after: nanoseconds, hasSlept: !isSeen || nanoseconds > busyWait.nanoseconds)
    }

    @Test("stays awake once waits are short, and sleeps at once when they are long")
    func awake() {
        var busyWait = BusyWait()
        #expect(busyWait.nanoseconds == 0)
        Self.wait(&busyWait, Self.long)
        #expect(busyWait.nanoseconds == 0)
        for _ in 0..<10_000 {
            Self.wait(&busyWait, Self.short)
            #expect(busyWait.nanoseconds == BusyWait.longest)
        }
        Self.wait(&busyWait, Self.long)
        #expect(busyWait.nanoseconds == 0)
    }

    @Test("looks in vain a few times in a thousand when what it waits for comes only while it sleeps")
    func inVain() {
        var busyWait = BusyWait()
        var looks = 0
        for _ in 0..<100_000 {
            looks += busyWait.nanoseconds > 0 ? 1 : 0
            Self.wait(&busyWait, Self.short, isSeen: false)
        }
        #expect((200...500).contains(looks))
    }

    @Test("keeps looking when that is in vain now and then, and leaves it when that is so more often than not")
    func mixed() {
        func looks(seen: Int, of all: Int) -> Int {
            var busyWait = BusyWait()
            var looks = 0
            for number in 0..<10_000 {
                looks += busyWait.nanoseconds > 0 ? 1 : 0
                Self.wait(&busyWait, Self.short, isSeen: number % all < seen)
            }
            return looks
        }
        #expect(looks(seen: 3, of: 4) > 9_000)
        #expect(looks(seen: 1, of: 4) < 200)
    }

    @Test("sleeps when others had its core between two looks, which counts as in vain though something came")
    func sharedCore() {
        var busyWait = BusyWait()
        Self.wait(&busyWait, Self.short)
        var mustSleep = busyWait.looked(after: BusyWait.gap)
        #expect(!mustSleep)
        for _ in 0..<BusyWait.patience {
            #expect(busyWait.nanoseconds > 0)
            mustSleep = busyWait.looked(after: BusyWait.gap + 1)
            #expect(mustSleep)
            Self.wait(&busyWait, Self.short)
        }
        #expect(busyWait.nanoseconds == 0)
    }

    @Test("sleeps for long when others had its core for long")
    func lostCore() {
        var busyWait = BusyWait()
        Self.wait(&busyWait, Self.short)
        #expect(busyWait.nanoseconds > 0)
        let mustSleep = busyWait.looked(after: BusyWait.longGap + 1)
        #expect(mustSleep)
        for _ in 0..<BusyWait.longRest {
            #expect(busyWait.nanoseconds == 0)
            Self.wait(&busyWait, Self.short, isSeen: false)
        }
        #expect(busyWait.nanoseconds > 0)
    }
}
