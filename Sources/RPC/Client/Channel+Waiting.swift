import EventLoops

extension Channel {
    /// Those that wait for a connection look again.
    func wake() {
        if isClosed { waiting.wakeAll() } else { waiting.wake() }
    }

    /// Suspends until something has changed.
    func change(before deadline: MonotonicTime) async throws(AttemptFailure) {
        try await wait(until: deadline, isPause: false)
    }

    /// Suspends until then.
    func pause(until time: MonotonicTime) async throws(AttemptFailure) { try await wait(until: time, isPause: true) }

    private func wait(until time: MonotonicTime, isPause: Bool) async throws(AttemptFailure) {
        let id = waiting.newID()
        let timer = loop.setTimer(time, owner: self, tag: id)
        defer { loop.cancelTimer(timer) }
        return try await withTaskCancellationHandler {
            await self.end(of: id, isPause: isPause)
        } onCancel: {
            loop.executeLater { self.onLoop { $0.cancelled(id) } }
        }.get()
    }

    /// On the loop, so that neither the change nor the time comes before anybody waits.
    private func end(of id: UInt32, isPause: Bool) async -> WaitingList.End {
        await Waiter.suspend { waiter in
            loop.preconditionInLoop()
            waiting.add(id, waiter, isPause: isPause)
        }
    }

    private func cancelled(_ id: UInt32) {
        waiting.fail(id, AttemptFailure(RPCError(.cancelled, "the call was cancelled"), wasNotStarted: true))
    }
}

extension Channel: TimerOwner {
    /// A pause is over, or a caller's deadline passed before there was a connection.
    nonisolated func timerFired(_ tag: UInt32) {
        onLoop { channel in
            let late = RPCError(.deadlineExceeded, "\(channel.target) was not connected before the deadline")
            channel.waiting.timeOver(tag, AttemptFailure(late, wasNotStarted: true))
        }
    }
}
