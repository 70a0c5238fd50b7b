import Contracts
import EventLoops
import RPC
import Synchronization
import Testing

@testable import Waymark

@Suite("P10 a watch that goes on")
struct WatchTests {
    /// Counts up to a number.
    private struct Counter: WatchProgress {
        var seen: [Int] = []
        let end: Int

        mutating func apply(_ message: Int) { seen.append(message) }
        var isSettled: Bool { seen.last ?? 0 >= end }
        var isGone: Bool { seen.last == -1 }
        var hasBegun: Bool { !seen.isEmpty }
    }

    private typealias Stream = AsyncThrowingStream<Int, any Error>

    private static func stream(_ numbers: [Int], _ error: (any Error)? = nil) -> Stream {
        let (stream, source) = Stream.makeStream()
        numbers.forEach { source.yield($0) }
        source.finish(throwing: error)
        return stream
    }

    private static let unavailable = RPCError(.unavailable, "gone")

    /// Runs over the streams in turn; tells what was seen, how often it broke, and the pauses.
    private func run(
        _ streams: [Stream], follows: Bool = false, deadline: Duration? = nil
    ) async throws -> (seen: [Int], breaks: Int, pauses: [Duration]) {
        let pauses = Mutex<[Duration]>([])
        let start = MonotonicTime(nanoseconds: 0)
        let now = Mutex(start)
        let watch = Watch<Counter>(
            follows: follows, deadline: deadline.map { start + $0 }, now: { now.withLock { $0 } },
            pause: { pause in
                pauses.withLock { $0.append(pause) }
                now.withLock { $0 = $0 + pause }
            })
        var counter = Counter(end: 3)
        var rest = streams[...]
        var breaks = 0
        try await watch.run(&counter) { _ in
            rest.popFirst() ?? Self.stream([-1])
        } show: { event, _ in
            if case .broken = event { breaks += 1 }
        }
        return (counter.seen, breaks, pauses.withLock { $0 })
    }

    @Test("ends when it is settled, and not before")
    func settles() async throws {
        #expect(try await run([Self.stream([1, 2, 3, 4])]).seen == [1, 2, 3])
        #expect(try await run([Self.stream([1, 2, 3, 4, -1, 5])], follows: true).seen == [1, 2, 3, 4, -1])
    }

    @Test("opens the stream again that broke or ended, after pauses that grow until something comes")
    func reopens() async throws {
        let broken = Self.stream([], Self.unavailable)
        let result = try await run([
            Self.stream([1], Self.unavailable), broken, Self.stream([]),
            Self.stream([2], RPCError(.aborted, "begin again")),
            Self.stream([3]),
        ])
        #expect(result.seen == [1, 2, 3])
        #expect(result.breaks == 4)
        let longest = [200, 400, 800, 200].map { Duration.milliseconds($0) }
        #expect(result.pauses.count == longest.count)
        for (pause, most) in zip(result.pauses, longest) { #expect((most / 2...most).contains(pause)) }
    }

    @Test("a target that can't be reached from the start is an error")
    func unreachable() async {
        await #expect(throws: RPCError.self) { try await run([Self.stream([], Self.unavailable)]) }
    }

    @Test("any other error ends it")
    func refused() async {
        let stream = Self.stream([1], RPCError(.notFound, "none"))
        let error = await #expect(throws: RPCError.self) { try await run([stream]) }
        #expect(error?.code == .notFound)
    }

    @Test("a watch that was not over in time says so in its own words")
    func late() async {
        let stream = Self.stream([1], RPCError(.deadlineExceeded, "h:1 did not answer"))
        let error = await #expect(throws: RPCError.self) { try await run([stream]) }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.message == "it was not over when the time was up")
    }

    @Test("gives up at its deadline, whatever the pauses are")
    func deadline() async {
        let streams = [Self.stream([1])] + (0..<100).map { _ in Self.stream([], Self.unavailable) }
        let error = await #expect(throws: RPCError.self) { try await run(streams, deadline: .seconds(3)) }
        #expect(error?.code == .deadlineExceeded)
    }
}
