import EventLoops

extension Channel {
    /// Resumes the tasks that wait for a connection; they check again.
    func wake() {
        if isClosed { waiting.wakeAll() } else { waiting.wake() }
    }

    /// Suspends until the number of changes is above `seen`.
    func change(after seen: UInt64, before deadline: MonotonicTime) async throws(AttemptFailure) {
        try await wait(until: deadline, seen: seen)
    }

    /// Suspends until that time.
    func pause(until time: MonotonicTime) async throws(AttemptFailure) { try await wait(until: time, seen: nil) }

    /// - Parameter seen: nil for a pause, which no change ends.
    private func wait(until time: MonotonicTime, seen: UInt64?) async throws(AttemptFailure) {
        let id = waiting.newID()
        let timer = loop.setTimer(time, owner: self, tag: id)
        defer { loop.cancelTimer(timer) }
        return try await withTaskCancellationHandler {
            await self.end(of: id, until: time, seen: seen)
        } onCancel: {
            loop.executeLater { self.onLoop { $0.waiting.fail(id, $0.cancelled) } }
        }.get()
    }

    /// Checks once more: a task that does not prefer the loop has let others run since its last check, and the change
    /// that it is to wait for may have happened. From here on nothing runs before it waits.
    private func end(of id: UInt32, until time: MonotonicTime, seen: UInt64?) async -> WaitingList.End {
        await Waiter.suspend { waiter in
            loop.preconditionInLoop()
            if Task.isCancelled {
                waiter.resume(.failure(cancelled))
            } else if loop.now >= time {
                waiter.resume(seen == nil ? .success(()) : .failure(late))
            } else if let seen, seen != waiting.changes {
                waiter.resume(.success(()))
            } else {
                waiting.add(id, waiter, isPause: seen == nil)
            }
        }
    }

    private var cancelled: AttemptFailure {
        AttemptFailure(RPCError(.cancelled, "the call was cancelled"), wasNotStarted: true)
    }

    private var late: AttemptFailure {
        let error = callee.error(
            .deadlineExceeded, "\(target) was not connected before the deadline", shown: "did not answer in time")
        return AttemptFailure(error, wasNotStarted: true)
    }
}

extension Channel: TimerOwner {
    /// A pause is over, or a call's deadline passed before there was a connection.
    nonisolated func timerFired(_ tag: UInt32) {
        onLoop { $0.waiting.timeOver(tag, $0.late) }
    }
}
