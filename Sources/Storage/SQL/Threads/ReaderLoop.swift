internal import Synchronization

/// A reader's loop: one request, one snapshot, taken after the request was made, so that a caller always finds what
/// was acknowledged before.
struct ReaderLoop {
    let connection: SQLiteConnection
    let queue: WorkQueue<Request>
    let counters: DatabaseCounters

    /// Works until the queue is closed.
    func run() {
        while let request = queue.waitForNext() {
            guard request.start() else { continue }
            let problem = attempt(request)
            // Counted first: who has the answer finds it in the metrics.
            counters.reads.add(1, ordering: .relaxed)
            request.answer(problem)
        }
    }

    private func attempt(_ request: Request) -> SQLError? {
        connection.hooks.current = request
        defer {
            connection.hooks.current = nil
            connection.rollBack()
        }
        do {
            try connection.begin(.read)
            try request.perform(in: Transaction(connection))
            return nil
        } catch {
            return error
        }
    }
}
