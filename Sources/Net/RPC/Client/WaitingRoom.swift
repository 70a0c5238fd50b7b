import EventLoops

/// Tasks of one loop that wait: for any change, or for the end of a pause.
actor WaitingRoom: LoopActor {
    /// Why a task goes on.
    enum End: Sendable {
        /// Something has changed, or the pause is over.
        case now
        /// Nothing had changed at the deadline.
        case late
        case cancelled
    }

    private struct Entry {
        let waiter: Waiter<End>
        let isPause: Bool
    }

    nonisolated let loop: EventLoop
    private var entries: [UInt32: Entry] = [:]
    private var nextID: UInt32 = 1
    /// The number of changes so far.
    private(set) var changes: UInt64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    /// Something has changed: all tasks that wait for that check again.
    func wake() {
        changes &+= 1
        guard !entries.isEmpty else { return }
        let woken = entries.filter { !$0.value.isPause }
        for id in woken.keys { entries[id] = nil }
        for entry in woken.values { entry.waiter.resume(.now) }
    }

    /// Ends all pauses too.
    func wakeAll() {
        changes &+= 1
        let woken = entries
        entries = [:]
        for entry in woken.values { entry.waiter.resume(.now) }
    }

    /// Suspends until the number of changes is above `seen`.
    func change(after seen: UInt64, before deadline: MonotonicTime) async -> End {
        await wait(until: deadline, seen: seen)
    }

    /// Suspends until that time.
    func pause(until time: MonotonicTime) async -> End { await wait(until: time, seen: nil) }

    /// - Parameter seen: nil for a pause, which no change ends.
    private func wait(until time: MonotonicTime, seen: UInt64?) async -> End {
        let id = nextID
        nextID &+= 1
        let timer = loop.setTimer(time, owner: self, tag: id)
        defer { loop.cancelTimer(timer) }
        return await withTaskCancellationHandler {
            await self.end(of: id, until: time, seen: seen)
        } onCancel: {
            loop.executeLater { self.onLoop { $0.cancel(id) } }
        }
    }

    private func cancel(_ id: UInt32) { entries.removeValue(forKey: id)?.waiter.resume(.cancelled) }

    /// Checks once more: a task that does not prefer the loop has let others run since its last check, and the change
    /// that it is to wait for may have happened. From here on nothing runs before it waits.
    private func end(of id: UInt32, until time: MonotonicTime, seen: UInt64?) async -> End {
        await Waiter.suspend { waiter in
            loop.preconditionInLoop()
            if Task.isCancelled {
                waiter.resume(.cancelled)
            } else if loop.now >= time {
                waiter.resume(seen == nil ? .now : .late)
            } else if let seen, seen != changes {
                waiter.resume(.now)
            } else {
                entries[id] = Entry(waiter: waiter, isPause: seen == nil)
            }
        }
    }
}

extension WaitingRoom: TimerOwner {
    /// A pause is over, or a deadline has passed.
    nonisolated func timerFired(_ tag: UInt32) {
        onLoop { room in
            guard let entry = room.entries.removeValue(forKey: tag) else { return }
            entry.waiter.resume(entry.isPause ? .now : .late)
        }
    }
}
