import Budgets
import EventLoops
import Synchronization
import TestSupport
import Testing

@Suite("P23 A slot", .timeLimit(.minutes(3)))
struct FairSlotsTests {
    private struct Failure: Error {}

    private final class Order: Sendable {
        private let list = Mutex<[Int]>([])
        var clients: [Int] { list.withLock { $0 } }
        func add(_ client: Int) { list.withLock { $0.append(client) } }
    }

    @Test("comes in the order of asking; who is cancelled meanwhile leaves, and holds nobody up")
    func order() async throws {
        let (slots, entered) = (FairSlots(1), Tally())
        let tasks = try await slots.run {
            var tasks: [Task<Int, any Error>] = []
            for count in 1...3 {
                let task = Task {
                    try await slots.run {
                        entered.add()
                        return entered.count
                    }
                }
                tasks.append(task)
                #expect(await eventually { slots.waitingCount == count })
            }
            let cancelled = tasks.remove(at: 1)
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(entered.count == 0)
            return tasks
        }
        for (number, task) in tasks.enumerated() { #expect(try await task.value == number + 1) }
    }

    @Test("comes in the turn of whom the task works for")
    func turns() async throws {
        let slots = FairSlots(1)
        let order = Order()
        let tasks = try await slots.run {
            var tasks: [Task<Void, any Error>] = []
            for client in [1, 1, 1, 2] {
                let sharer = Sharer(ClientKey("10.0.0.\(client)"), .known)
                let task = Task {
                    try await Sharer.$current.withValue(sharer) { try await slots.run { order.add(client) } }
                }
                tasks.append(task)
                #expect(await eventually { slots.waitingCount == tasks.count })
            }
            return tasks
        }
        for task in tasks { try await task.value }
        #expect(order.clients == [1, 2, 1, 1])
    }

    @Test("is given back when the work fails")
    func failure() async throws {
        let slots = FairSlots(1)
        for _ in 1...2 {
            await #expect(throws: Failure.self) { try await slots.run { throw Failure() } }
        }
    }
}
