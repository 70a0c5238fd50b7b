import Glibc
import Synchronization

/// Threads for work that blocks: files, the resolver, long searches. Its queue is bounded.
package final class BlockingPool: Sendable {
    /// Why work was not run.
    package enum Refusal: Error, Equatable {
        /// The queue is full.
        case full(limit: Int)
        /// The pool is shut down.
        case closed
    }

    private struct State {
        var queue: [@Sendable () -> Void] = []
        var head = 0
        var isClosed = false
    }

    private let state = ConditionMutex(State())
    private let limit: Int
    private let threads: [PosixThread]

    /// Starts `threadCount` threads; at most `queueLimit` pieces of work wait for one.
    package init(threadCount: Int, queueLimit: Int = 1024, name: String = "blocking") {
        limit = queueLimit
        let state = state
        threads = (0..<threadCount).map { index in
            PosixThread(name: "\(name)-\(index)") {
                while let work = Self.next(state) { work() }
            }
        }
    }

    /// Runs `body` on one of the threads and returns its result. Once started it runs to its end; when the task was
    /// cancelled before, it is not started.
    package func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try Task.checkCancellation()
        return try await unsafe withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<R, any Error>) in
            do {
                try submit { unsafe continuation.resume(with: Result { try body() }) }
            } catch {
                unsafe continuation.resume(throwing: error)
            }
        }
    }

    /// Queues work without waiting for it.
    package func submit(_ work: @escaping @Sendable () -> Void) throws(Refusal) {
        let refusal: Refusal? = state.withLock { state, wake in
            if state.isClosed { return .closed }
            if state.queue.count - state.head >= limit { return .full(limit: limit) }
            state.queue.append(work)
            wake.one()
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Lets queued work end, then stops the threads. Blocks until they have ended; not to be called on one of them.
    package func close() {
        state.withLock { state, wake in
            state.isClosed = true
            wake.all()
        }
        for thread in threads { thread.join() }
    }

    private static func next(_ state: ConditionMutex<State>) -> (@Sendable () -> Void)? {
        state.wait(until: { $0.head < $0.queue.count || $0.isClosed }) { state in
            guard state.head < state.queue.count else { return nil }
            let work = state.queue[state.head]
            state.head += 1
            if state.head == state.queue.count {
                state.queue.removeAll(keepingCapacity: true)
                state.head = 0
            } else if state.head >= 64, state.head * 2 >= state.queue.count {
                state.queue.removeFirst(state.head)
                state.head = 0
            }
            return work
        }
    }
}
