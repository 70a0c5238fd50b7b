internal import EventLoops

extension PostgresConnection {
    /// A reading transaction has one snapshot for all its statements. A writing one without a scope is for the schema,
    /// whose lock is a row.
    func begin(_ access: SQLAccess) throws(SQLError) {
        switch access {
        case .read: wait(toBegin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        case .write: begin(.statements)
        }
    }

    func begin(_ scope: WriteScope) {
        self.scope = scope
        held = nil
        switch scope {
        case .everything: wait(toBegin: "BEGIN ISOLATION LEVEL SERIALIZABLE")
        // Behind the lock of a subject, each statement sees all that those before it have committed.
        case .statements, .subject: wait(toBegin: "BEGIN ISOLATION LEVEL READ COMMITTED")
        case .statement: stage = .single
        }
    }

    private func wait(toBegin begin: String) {
        held = nil
        stage = .waiting(begin: begin)
    }

    /// Begins the transaction with its first statement. It is over, or has failed, when this throws: a body that hid
    /// that error would take its changes for kept.
    func enter() throws(SQLError) {
        switch stage {
        case .waiting(let begin):
            let session = try open()
            try session.begin(begin)
            stage = .begun
            if case .subject(let subject) = scope {
                let (name, values) = try prepared(HeldSubject.statement, [subject])
                try session.queue(prepared: name, values, look, keepsResult: true)
                held = HeldSubject(name: subject)
            }
        case .begun: try requireTransaction()
        case .single: stage = .over
        case .over: throw scope == .statement ? Self.oneStatement : undone()
        }
    }

    func commit() throws(SQLError) {
        guard stage == .begun else { return }
        try requireTransaction()
        try returnVersion()
        let session = try open()
        let end = ContinuousClock.now + settings.statementTimeout
        var stopReason: SQLError?
        // The caller's deadline stops the statements that go with it. The end itself is waited for: an answer is on
        // its way.
        let hasStatements = !session.queue.isEmpty
        do throws(SQLError) {
            let result = try session.commit { () throws(SQLError) in
                guard ContinuousClock.now < end else {
                    throw SQLError(.away, "database \(address.place) does not answer")
                }
                guard hasStatements, stopReason == nil, let reason = current?.stopReason else { return }
                stopReason = reason
                session.requestStop()
            }
            guard result.tag == "COMMIT" else { throw undone() }
        } catch {
            throw stopReason ?? error
        }
    }

    /// Waits for a first answer of the server within this transaction.
    func requireAnswer() throws(SQLError) {
        if stage == .begun { try open().requireAnswer(look) }
    }

    /// Ends a transaction that has only read: with what comes next, or by `settle`.
    func endReading() throws(SQLError) {
        guard stage == .begun else { return }
        try requireTransaction()
        try open().endReading(look)
    }

    func rollBack() {
        guard let session, session.isOpen else { return close() }
        if session.isIdle { return }
        stage = .over
        let end = ContinuousClock.now + .seconds(1)
        let isDone: Void? =
            try? _ = session.run("ROLLBACK") { () throws(SQLError) in
                if ContinuousClock.now >= end { throw SQLError(.away, "no answer") }
            }
        if isDone == nil { close() }
    }

    func undo() throws(SQLError) {
        notes = []
        if stage == .begun { try control("ROLLBACK") }
        begin(scope)
    }

    func raised(_ subject: String, by step: Int64) throws(SQLError) -> Int64? {
        if case .waiting = stage, scope == .subject(subject) { try enter() }
        guard held?.name == subject, var lock = try readVersion() else { return nil }
        if let version = lock.raise(by: step) {
            try execute(HeldSubject.write, [subject, version])
        }
        held = lock
        return lock.version
    }

    /// The subject of this transaction with the version that its lock has given.
    private func readVersion() throws(SQLError) -> HeldSubject? {
        guard var lock = held else { return nil }
        if lock.isAnswered { return lock }
        let session = try open()
        try session.settle(look)
        guard let answer = session.takeKept() else { throw undone() }
        try lock.answer(unsafe Row(answer.row(0)))
        withExtendedLifetime(answer) {}
        held = lock
        return lock
    }

    /// The lock has raised the version: that is taken back where nothing was changed.
    private func returnVersion() throws(SQLError) {
        guard let lock = try readVersion(), let version = lock.unused else { return }
        try execute(HeldSubject.write, [lock.name, version])
    }

    private func requireTransaction() throws(SQLError) {
        guard let session, session.isOpen else {
            throw SQLError(.away, "database \(address.place): the connection to the server broke")
        }
        guard session.isInTransaction else { throw undone() }
    }

    private func undone() -> SQLError {
        SQLError(.io, "database \(address.place): the transaction is already undone")
    }
}
