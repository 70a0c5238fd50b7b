internal import EventLoops
internal import Glibc
internal import Synchronization

/// The loop of one storage thread with its connection to a PostgreSQL server: one transaction after the other.
struct PostgresWorker {
    /// How often a body is run again because others have changed the same rows, or because the connection was stale.
    private static let maximumRuns = 40

    let connection: PostgresConnection
    let queue: WorkQueue<Request>
    let counters: DatabaseCounters
    let access: SQLAccess
    let notices: Notices

    /// Runs until the queue is closed.
    func run() {
        while let request = next() {
            guard request.start() else { continue }
            connection.current = request
            serve(request)
            connection.current = nil
        }
        connection.close()
    }

    private func next() -> Request? {
        if let request = queue.next() { return request }
        connection.settle()
        return queue.waitForNext()
    }

    private func serve(_ request: Request) {
        for run in 1... {
            guard let problem = attempt(request) else { return answer(request, nil) }
            guard run < Self.maximumRuns, problem.mayRunAgain, request.stopReason == nil else {
                return answer(request, request.stopReason ?? problem.error)
            }
            // Those that were in each other's way don't come back in step.
            if problem.error.code == .conflict {
                PostgresSession.pause(milliseconds: .random(in: 0...Int32(min(run, 10))))
            }
        }
    }

    private struct Problem {
        let error: SQLError
        /// Whether nothing of it can have been kept.
        let mayRunAgain: Bool
    }

    private func attempt(_ request: Request) -> Problem? {
        let wasOpen = connection.isOpen
        var isCommitting = false
        do throws(SQLError) {
            try connection.connect()
            switch (access, request.scope) {
            case (.read, .statements): try connection.begin(.read)
            case (_, let scope): connection.begin(scope)
            }
            connection.notes = []
            // What is sent as one statement is kept when it is done.
            isCommitting = access == .write && request.scope == .statement
            try request.perform(in: Transaction(connection))
            if access == .read {
                try connection.endReading()
                return nil
            }
            try connection.requireAnswer()
            isCommitting = true
            try connection.commit()
            notices.post(connection.notes)
            return nil
        } catch {
            connection.rollBack()
            switch error.code {
            // The server that was the primary is a standby now.
            case .readOnly where access == .write: connection.close()
            case .conflict: return Problem(error: error, mayRunAgain: true)
            // The server was restarted since the connection was last used.
            case .away:
                connection.close()
                return Problem(error: error, mayRunAgain: wasOpen && !isCommitting)
            default: break
            }
            return Problem(error: error, mayRunAgain: false)
        }
    }

    private func answer(_ request: Request, _ problem: SQLError?) {
        counters.roundTrips.add(connection.takeWaits(), ordering: .relaxed)
        switch access {
        case .read: counters.reads.add(1, ordering: .relaxed)
        case .write where problem == nil:
            counters.commits.add(1, ordering: .relaxed)
            counters.writes.add(1, ordering: .relaxed)
        case .write: break
        }
        request.answer(problem)
    }
}
