import EventLoops
import TestSupport
import Testing

@Suite("P23 A permit", .timeLimit(.minutes(3)))
struct AsyncSemaphoreTests {
    private struct Failure: Error {}

    @Test("comes in the order of asking; who is cancelled meanwhile leaves, and holds nobody up")
    func order() async throws {
        let (semaphore, entered) = (AsyncSemaphore(permits: 1), Tally())
        let tasks = try await semaphore.run {
            var tasks: [Task<Int, any Error>] = []
            for count in 1...3 {
                let task = Task {
                    try await semaphore.run {
                        entered.add()
                        return entered.count
                    }
                }
                tasks.append(task)
                #expect(await eventually { semaphore.waitingCount == count })
            }
            let cancelled = tasks.remove(at: 1)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(entered.count == 0)
            return tasks
        }
        for (number, task) in tasks.enumerated() { #expect(try await task.value == number + 1) }
    }

    @Test("is given back when the work fails")
    func failure() async throws {
        let semaphore = AsyncSemaphore(permits: 1)
        for _ in 1...2 {
            await #expect(throws: Failure.self) { try await semaphore.run { throw Failure() } }
        }
    }
}
