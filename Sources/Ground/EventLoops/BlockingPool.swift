import Budgets
import Glibc
import Synchronization

/// Threads for work that blocks: files, the resolver, long searches. Clients take turns (`FairQueue`), and what waits
/// is bounded.
package final class BlockingPool: Sendable {
    private struct Work {
        let run: @Sendable () -> Void
        /// The task that waits for it was cancelled; nil when none waits.
        var giveUp: (@Sendable () -> Void)?
    }

    private struct State {
        var queue: FairQueue<Work>
        var isClosed = false
    }

    private let state: ConditionMutex<State>
    private let lastID = Atomic<UInt64>(0)
    private let limit: Int
    private let threads: [PosixThread]

    /// Starts `threadCount` threads; at most `queueLimit` pieces of work wait for one.
    /// - Parameters:
    ///   - maximumOfClient: how many threads one client has at once: for work that takes long.
    ///   - isBackground: whether other threads of the machine come first, as far as they need processors.
    package init(
        threadCount: Int, queueLimit: Int = 1024, maximumOfClient: Int = .max, name: String = "blocking",
        isBackground: Bool = false
    ) {
        limit = queueLimit
        let queue = FairQueue<Work>(slots: threadCount, waiting: queueLimit, maximumOfClient: maximumOfClient)
        let state = ConditionMutex(State(queue: queue))
        self.state = state
        threads = (0..<threadCount).map { index in
            PosixThread(name: "\(name)-\(index)") {
                if isBackground { Self.yieldToOthers() }
                while let (work, client) = Self.next(state) {
                    work.run()
                    state.withLock { state, _ in state.queue.end(of: client) }
                }
            }
        }
    }

    /// On Linux the priority of a process is one of each of its threads: setpriority(2), "C library/kernel differences".
    private static func yieldToOthers() { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15) }

    /// Runs `body` on one of the threads, in the turn of who the task works for, and returns its result. Once started
    /// it runs to its end; when the task is cancelled before, it is not started.
    package func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try Task.checkCancellation()
        let (id, sharer) = (newID(), Sharer.current)
        return try await withTaskCancellationHandler {
            try await unsafe withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<R, any Error>) in
                let work = Work(
                    run: { unsafe continuation.resume(with: Result { try body() }) },
                    giveUp: { unsafe continuation.resume(throwing: CancellationError()) })
                if let refusal = add(work, id, sharer) { unsafe continuation.resume(throwing: refusal) }
            }
        } onCancel: {
            state.withLock { state, _ in state.queue.remove(id, of: sharer.client) }?.giveUp?()
        }
    }

    /// Queues work without waiting for it.
    package func submit(_ work: @escaping @Sendable () -> Void) throws(Refusal) {
        let refusal: Refusal? = state.withLock { state, wake in
            if state.isClosed { return .closed }
            let isAdded = state.queue.add(Work(run: work), newID(), for: .current)
            if isAdded { wake.one() }
            return isAdded ? nil : .full(limit: limit)
        }
        if let refusal { throw refusal }
    }

    /// Lets queued work end, then stops the threads. Blocks until they have ended; not to be called on one of them.
    package func close() {
        state.withLock { state, wake in
            state.isClosed = true
            state.queue.maximumOfClient = .max
            wake.all()
        }
        for thread in threads { thread.join() }
    }

    private func newID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Nil when it was added. A cancellation from here on finds it in the queue.
    private func add(_ work: Work, _ id: UInt64, _ sharer: Sharer) -> (any Error)? {
        state.withLock { state, wake in
            if Task.isCancelled { return CancellationError() }
            if state.isClosed { return Refusal.closed }
            guard state.queue.add(work, id, for: sharer) else { return Refusal.full(limit: limit) }
            wake.one()
            return nil
        }
    }

    private static func next(_ state: ConditionMutex<State>) -> (element: Work, client: ClientKey)? {
        state.wait(until: { $0.queue.hasNext || $0.isClosed && $0.queue.isEmpty }) { $0.queue.next() }
    }
}

extension BlockingPool {
    /// Why work was not run.
    package enum Refusal: Error, Equatable {
        /// So many may wait of all clients together, and this one has its share of them waiting.
        case full(limit: Int)
        /// The pool is shut down.
        case closed
    }
}
