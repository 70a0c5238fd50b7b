import EventLoops

/// What a load runs by: the machine's clock, or one that a test turns.
protocol LoadClock: Sendable {
    var now: MonotonicTime { get }

    /// What the calling thread has used of its core.
    var processor: ThreadTime { get }

    /// Returns at that time, as exactly as can be, or earlier, at the latest when the task is cancelled. One waits at a
    /// time.
    func wait(until time: MonotonicTime) async
}
