import EventLoops
import TestSupport
import Testing

@Suite("Loop counters", .timeLimit(.minutes(3)))
struct LoopCountersTests {
    @Test("tell how long turns took, and nothing of the waiting between them")
    func turns() async throws {
        let loop = try EventLoop()
        defer { loop.shutDown() }
        let work: UInt64 = 30_000_000
        await withCheckedContinuation { continuation in
            loop.execute {
                let start = MonotonicTime.now
                while MonotonicTime.now.nanoseconds(since: start) < work {}
                continuation.resume()
            }
        }
        let isCounted = await eventually { loop.counters.turns.longest >= Double(work) * 0.8 }
        #expect(isCounted)
        let turns = loop.counters.turns
        #expect(turns.count >= 1)
        #expect(turns.nanoseconds >= work)
    }

    @Test("count bytes that they are told of")
    func bytes() async throws {
        let loop = try EventLoop()
        defer { loop.shutDown() }
        await withCheckedContinuation { continuation in
            loop.execute {
                loop.counters.received(5)
                loop.counters.received(7)
                loop.counters.sent(3)
                continuation.resume()
            }
        }
        #expect(loop.counters.receivedBytes == 12)
        #expect(loop.counters.sentBytes == 3)
    }
}
