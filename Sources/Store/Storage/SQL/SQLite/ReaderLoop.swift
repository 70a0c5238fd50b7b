import EventLoops
internal import Synchronization

/// A reader's loop. Requests that were waiting when a snapshot was taken share it: all were made before it, so each
/// caller sees what was acknowledged to it, and taking a snapshot costs system calls in which readers block each other.
struct ReaderLoop {
    let connection: SQLiteConnection
    let queue: WorkQueue<Request>
    let counters: DatabaseCounters

    /// Runs until the queue is closed.
    func run() {
        while let first = queue.waitForNext() {
            HeldWakes.hold { answerBatch(first) }
        }
    }

    private func answerBatch(_ first: Request) {
        guard first.start() else { return }
        let mark = queue.mark
        var next: Request? = first
        while let request = next { next = answer(request) ? nextWaiting(before: mark) : nil }
        connection.rollBack()
    }

    /// Whether the snapshot can still be used: after a failure a new one is taken.
    private func answer(_ request: Request) -> Bool {
        let problem = attempt(request)
        if problem != nil { connection.rollBack() }
        // Counted first: a caller that has its answer finds it in the metrics.
        counters.reads.add(1, ordering: .relaxed)
        request.answer(problem)
        return problem == nil
    }

    private func attempt(_ request: Request) -> SQLError? {
        connection.hooks.current = request
        connection.statementsLeft = request.maximumStatements
        defer { connection.hooks.current = nil }
        do {
            if !connection.handle.isInTransaction { try connection.begin(.read) }
            try request.perform(in: Transaction(connection))
            return nil
        } catch {
            return error
        }
    }

    /// The next of those requests that is not cancelled or late.
    private func nextWaiting(before mark: UInt64) -> Request? {
        while let request = queue.next(before: mark) {
            if request.start() { return request }
        }
        return nil
    }
}
