import EventLoops
import Testing

@Suite("A time limit", .timeLimit(.minutes(3)))
struct TimeLimitTests {
    private struct Failure: Error, Equatable {}

    @Test("gives what the body gives, and its error")
    func inTime() async throws {
        #expect(try await withTimeLimit(.seconds(60)) { 7 } == 7)
        await #expect(throws: Failure.self) { try await withTimeLimit(.seconds(60)) { throw Failure() } }
    }

    @Test("is over first when the body waits for something that never comes, which is cancelled then")
    func tooLate() async throws {
        let bell = Bell()
        let end: Bool? = try await withTimeLimit(.milliseconds(1)) {
            await bell.wait(after: bell.count)
            return Task.isCancelled
        }
        #expect(end == nil)
    }

    @Test("ends with the task that it is part of")
    func cancelled() async {
        let bell = Bell()
        let task = Task { try await withTimeLimit(.seconds(3_600)) { await bell.wait(after: 0) } }
        task.cancel()
        _ = await task.result
    }
}

@Suite("The wait before the next try")
struct BackoffTests {
    @Test("doubles from the first to the longest", arguments: [(-1, 1), (0, 1), (1, 2), (3, 8), (4, 10), (99, 10)])
    func longest(failures: Int, seconds: Int) {
        #expect(Backoff.longestWait(in: .seconds(1) ... .seconds(10), failures: failures) == .seconds(seconds))
    }

    @Test("is between half and all of that, and begins anew after a success")
    func jitter() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(3))
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2 {
            for longest in [1.0, 2, 3, 3] {
                let wait = backoff.next(using: &random)
                #expect(wait >= .seconds(longest / 2) && wait <= .seconds(longest))
            }
            backoff.reset()
        }
    }
}
