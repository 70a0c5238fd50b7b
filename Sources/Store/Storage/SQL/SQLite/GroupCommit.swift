internal import Synchronization

/// The writer's loop. Flushing the disk costs far more than a small transaction, so transactions that wait while one
/// runs join its group and share its flush. No caller is answered before the flush.
///
///     BEGIN  [SAVEPOINT a RELEASE]  [SAVEPOINT b ROLLBACK TO]  [SAVEPOINT c RELEASE]  COMMIT  → answer a, c
///                                                        └→ answer b, which failed, at once
///
/// A member that fails is undone alone. When a failure undoes the whole group (SQLite rolls back by itself on a full
/// disk, for example, or a check deferred to COMMIT fails) the other members are run again, each alone.
struct GroupCommit {
    let connection: SQLiteConnection
    let queue: WorkQueue<Request>
    let counters: DatabaseCounters
    let settings: DatabaseSettings
    let notices: Notices

    private enum Outcome { case kept, undone, groupLost }

    /// Runs until the queue is closed.
    func run() {
        while let request = queue.waitForNext() {
            guard request.start() else { continue }
            runGroup(request)
            guard !connection.checkpointIfDue(settings.follower) else { continue }
            counters.failedCheckpoints.add(1, ordering: .relaxed)
        }
        settings.follower?.willClose(connection)
    }

    private func runGroup(_ first: Request) {
        if let refusal = settings.follower?.refusal { return first.answer(refusal) }
        guard begin(for: first) else { return }
        let closing = ContinuousClock.now + settings.groupAge
        var members: [Request] = []
        var next: Request? = first
        while let request = next {
            switch attempt(request) {
            case .kept: members.append(request)
            case .undone: break
            case .groupLost: return rerun(members)
            }
            next = members.count < settings.groupLimit && ContinuousClock.now < closing ? nextWaiting() : nil
        }
        commit(members)
    }

    /// The next request that is not cancelled or late.
    private func nextWaiting() -> Request? {
        while let request = queue.next() {
            if request.start() { return request }
        }
        return nil
    }

    private func begin(for request: Request) -> Bool {
        connection.hooks.current = request  // Waiting for another process ends at this one's deadline.
        defer { connection.hooks.current = nil }
        do {
            try connection.begin(.write)
            return true
        } catch {
            request.answer(error)
            return false
        }
    }

    private func attempt(_ request: Request) -> Outcome {
        do {
            try connection.beginMember()
            try perform(request)
            try connection.endMember()
            return .kept
        } catch {
            let isGroupWhole = takeBack()
            request.answer(error)
            return isGroupWhole ? .undone : .groupLost
        }
    }

    private func perform(_ request: Request) throws(SQLError) {
        connection.hooks.current = request
        connection.notes = []
        connection.statementsLeft = request.maximumStatements
        defer { connection.hooks.current = nil }
        try request.perform(in: Transaction(connection))
        if !connection.handle.isInTransaction, let reason = request.stopReason { throw reason }
        try connection.requireTransaction()
        request.notes = connection.notes
    }

    /// Undoes the member that failed. False when the whole group was undone with it.
    private func takeBack() -> Bool {
        guard connection.handle.isInTransaction else { return false }
        do {
            try connection.undo()
            try connection.endMember()
            return true
        } catch {
            connection.rollBack()
            return false
        }
    }

    private func commit(_ members: [Request]) {
        guard !members.isEmpty else { return connection.rollBack() }
        settings.follower?.willCommit(connection)
        do {
            try connection.commit()
        } catch {
            connection.rollBack()
            return answerFailedCommit(error, members)
        }
        let problem = settings.follower?.didCommit()
        counters.commits.add(1, ordering: .relaxed)
        counters.writes.add(members.count, ordering: .relaxed)
        for member in members {
            notices.post(member.notes)
            member.answer(problem)
        }
    }

    /// Any member may be the cause, so each is tried alone; but a disk that fails would only fail again.
    private func answerFailedCommit(_ error: SQLError, _ members: [Request]) {
        guard members.count > 1, error.code != .io else {
            for member in members { member.answer(error) }
            return
        }
        rerun(members)
    }

    /// Runs each as a group of its own, which has no other members to run again.
    private func rerun(_ members: [Request]) {
        for member in members where begin(for: member) {
            switch attempt(member) {
            case .kept: commit([member])
            case .undone: connection.rollBack()
            case .groupLost: break
            }
        }
    }
}
