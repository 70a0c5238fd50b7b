internal import EventLoops
internal import Synchronization

/// The threads of one database: starts them, and waits for their end without blocking a task.
final class ThreadCrew: Sendable {
    private struct State {
        var running = 0
        var threads: [PosixThread] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts a thread and waits until `setUp` has succeeded on it; `work` then continues with its result.
    func start<Tool>(
        _ name: String,
        setUp: @escaping @Sendable () throws(SQLError) -> Tool,
        work: @escaping @Sendable (borrowing Tool) -> Void
    ) async throws(SQLError) {
        let problem: SQLError? = await withCheckedContinuation { started in
            launch(name, started) {
                do throws(SQLError) {
                    let tool = try setUp()
                    started.resume(returning: nil)
                    work(tool)
                } catch {
                    started.resume(returning: error)
                }
            }
        }
        if let problem { throw problem }
    }

    /// Waits until every thread has ended, and joins them. Several tasks may wait.
    func join() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if isOver { continuation.resume() }
        }
        for thread in takeThreads() { thread.join() }
    }

    /// Lets the threads end by themselves.
    func detach() {
        for thread in takeThreads() { thread.detach() }
    }

    private func launch(
        _ name: String, _ started: CheckedContinuation<SQLError?, Never>, _ body: @escaping @Sendable () -> Void
    ) {
        // Under the lock, so that a thread which ends at once is in the list before `join` looks for it there.
        let problem: SQLError? = state.withLock { state in
            do throws(SystemError) {
                // The main thread handles signals.
                let thread = try PosixThread(starting: name, takesSignals: false) {
                    body()
                    self.leave()
                }
                state.threads.append(thread)
                state.running += 1
                return nil
            } catch {
                return SQLError(
                    .outOfMemory, "can't start the thread \(name): \(error); fewer readers need fewer threads")
            }
        }
        if let problem { started.resume(returning: problem) }
    }

    private func leave() {
        let waiting = state.withLock { state in
            state.running -= 1
            guard state.running == 0 else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func takeThreads() -> [PosixThread] {
        state.withLock { state in
            defer { state.threads = [] }
            return state.threads
        }
    }
}
