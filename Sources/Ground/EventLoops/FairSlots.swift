import Budgets
import Synchronization

/// Lets a limited number of tasks at a time run. The others wait without blocking a thread, and clients take turns
/// (`FairQueue`).
package final class FairSlots: Sendable {
    private let queue: Mutex<FairQueue<Waiter<Result<Void, any Error>>>>
    private let lastID = Atomic<UInt64>(0)
    private let limit: Int

    /// - Parameters:
    ///   - waiting: how many tasks may wait.
    ///   - maximumOfClient: how many of one client run at once.
    package init(_ count: Int, waiting: Int = 1024, maximumOfClient: Int = .max) {
        limit = waiting
        queue = Mutex(FairQueue(slots: count, waiting: waiting, maximumOfClient: maximumOfClient))
    }

    /// How many tasks wait.
    package var waitingCount: Int { queue.withLock { $0.count } }

    /// Runs `body` once a slot is free, in the turn of who the task works for. Throws `CancellationError` when the task
    /// is cancelled before that, and `BlockingPool.Refusal` when too many wait.
    package func run<R>(_ body: () async throws -> R) async throws -> R {
        let client = Sharer.current.client
        try await enter()
        defer { leave(client) }
        return try await body()
    }

    private func enter() async throws {
        let (id, sharer) = (lastID.wrappingAdd(1, ordering: .relaxed).newValue, Sharer.current)
        let outcome: Result<Void, any Error> = await withTaskCancellationHandler {
            await Waiter.suspend { waiter in
                if let refusal = place(waiter, id, sharer) { waiter.resume(.failure(refusal)) }
                begin()
            }
        } onCancel: {
            queue.withLock { $0.remove(id, of: sharer.client) }?.resume(.failure(CancellationError()))
        }
        try outcome.get()
    }

    /// Nil when it was put into the queue. A cancellation from here on finds it there.
    private func place(
        _ waiter: Waiter<Result<Void, any Error>>, _ id: UInt64, _ sharer: Sharer
    ) -> (any Error)? {
        queue.withLock { queue in
            if Task.isCancelled { return CancellationError() }
            return queue.add(waiter, id, for: sharer) ? nil : BlockingPool.Refusal.full(limit: limit)
        }
    }

    private func leave(_ client: ClientKey) {
        queue.withLock { $0.end(of: client) }
        begin()
    }

    /// Lets those run for whom there is a slot.
    private func begin() {
        while let next = queue.withLock({ $0.next()?.element }) { next.resume(.success(())) }
    }
}
