import EventLoops

/// Tasks that wait on a channel: for any connection, or for a pause to be over.
struct WaitingList {
    typealias End = Result<Void, AttemptFailure>

    private struct Entry {
        let waiter: Waiter<End>
        let isPause: Bool
    }

    private var entries: [UInt32: Entry] = [:]
    private var next: UInt32 = 1
    /// How often something has changed.
    private(set) var changes: UInt64 = 0

    /// A name for one more that will wait.
    mutating func newID() -> UInt32 {
        defer { next &+= 1 }
        return next
    }

    mutating func add(_ id: UInt32, _ waiter: Waiter<End>, isPause: Bool) {
        entries[id] = Entry(waiter: waiter, isPause: isPause)
    }

    /// Something has changed: all that wait for a connection look again.
    mutating func wake() {
        changes &+= 1
        guard !entries.isEmpty else { return }
        let woken = entries.filter { !$0.value.isPause }
        for id in woken.keys { entries[id] = nil }
        for entry in woken.values { entry.waiter.resume(.success(())) }
    }

    /// The time of one is over: that ends a pause well, and fails a waiter for a connection.
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
