import EventLoops

/// Tasks that wait on a channel: for any connection, or for the end of a pause.
struct WaitingList {
    typealias End = Result<Void, AttemptFailure>

    private struct Entry {
        let waiter: Waiter<End>
        let isPause: Bool
    }

    private var entries: [UInt32: Entry] = [:]
    private var next: UInt32 = 1
    /// The number of changes so far.
    private(set) var changes: UInt64 = 0

    /// An id for the next waiter.
    mutating func newID() -> UInt32 {
        defer { next &+= 1 }
        return next
    }

    mutating func add(_ id: UInt32, _ waiter: Waiter<End>, isPause: Bool) {
        entries[id] = Entry(waiter: waiter, isPause: isPause)
    }

    /// Something has changed: all tasks that wait for a connection check again.
    mutating func wake() {
        changes &+= 1
        guard !entries.isEmpty else { return }
        let woken = entries.filter { !$0.value.isPause }
        for id in woken.keys { entries[id] = nil }
        for entry in woken.values { entry.waiter.resume(.success(())) }
    }

    /// A waiter's time is over: this ends a pause successfully, and fails a waiter for a connection.
    mutating func timeOver(_ id: UInt32, _ failure: @autoclosure () -> AttemptFailure) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        entry.waiter.resume(entry.isPause ? .success(()) : .failure(failure()))
    }

    mutating func fail(_ id: UInt32, _ failure: AttemptFailure) {
        entries.removeValue(forKey: id)?.waiter.resume(.failure(failure))
    }

    /// Ends all pauses and all waiting.
    mutating func wakeAll() {
        changes &+= 1
        let woken = entries
        entries = [:]
        for entry in woken.values { entry.waiter.resume(.success(())) }
    }
}
