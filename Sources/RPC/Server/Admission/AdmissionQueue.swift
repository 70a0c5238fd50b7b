import EventLoops

/// The calls of one method that wait for others to end, in order of arrival. It only decides; it resumes no task.
///
/// The queue is bounded by time, after CoDel (RFC 8289): a burst may wait long, but a queue that has not been empty
/// for a while only adds latency to every call, so calls may wait less there. What counts as long follows from the
/// callers' deadlines.
struct AdmissionQueue<Call> {
    struct Entry {
        let call: Call
        let id: UInt64
        let since: MonotonicTime
        /// The time that the call had left when it arrived.
        let timeout: Duration
    }

    private var entries: [Entry] = []
    private var head = 0
    /// When the queue was last empty.
    private var lastEmpty: MonotonicTime

    /// How long a queue that has not been empty counts as a burst.
    private static var burst: Duration { .milliseconds(100) }
    /// The divisor of a call's time-out that gives its longest wait: in a burst, and in a standing queue.
    private static var shares: (burst: Int, standing: Int) { (4, 10) }
    private static var leastWait: Duration { .milliseconds(10) }
    private static var mostEntries: Int { 4096 }

    init(now: MonotonicTime) { lastEmpty = now }

    var isEmpty: Bool { head == entries.count }
    var count: Int { entries.count - head }

    /// How long a call with this time-out may wait when it is checked at `now` and calls take `latency`.
    func patience(_ now: MonotonicTime, latency: Duration, timeout: Duration) -> Duration {
        if now.since(lastEmpty) <= Self.burst { return Self.burstPatience(timeout) }
        // Half is for the call itself.
        return max(Self.leastWait, min(timeout / 2, max(latency * 2, timeout / Self.shares.standing)))
    }

    /// How long a call with this time-out may wait in a burst.
    static func burstPatience(_ timeout: Duration) -> Duration { max(leastWait, timeout / shares.burst) }

    /// Whether a call that came now would certainly wait too long, given the queue's length and the rate at which calls
    /// end.
    func isHopeless(_ now: MonotonicTime, latency: Duration, rate: Double, timeout: Duration) -> Bool {
        if count >= Self.mostEntries { return true }
        guard rate > 0 else { return false }
        return .seconds(Double(count) / rate) > patience(now, latency: latency, timeout: timeout)
    }

    /// Appends a call; `id` is the key for removing it.
    mutating func append(_ call: Call, _ id: UInt64, _ now: MonotonicTime, timeout: Duration) {
        if isEmpty { lastEmpty = now }
        entries.append(Entry(call: call, id: id, since: now, timeout: timeout))
    }

    /// Removes and returns the first call.
    mutating func next(_ now: MonotonicTime) -> Entry? {
        guard !isEmpty else { return nil }
        let entry = entries[head]
        head += 1
        if isEmpty { lastEmpty = now }
        if head > 64, head > entries.count / 2 || isEmpty {
            entries.removeFirst(head)
            head = 0
        }
        return entry
    }

    /// Whether the first call has waited for longer than it may.
    func isExpired(_ now: MonotonicTime, latency: Duration) -> Bool {
        first.map { now.since($0.since) > patience(now, latency: latency, timeout: $0.timeout) } ?? false
    }

    /// The call that has waited longest.
    var first: Entry? { isEmpty ? nil : entries[head] }

    /// Removes a call that gives up waiting; nil when it is not in the queue.
    mutating func remove(_ id: UInt64) -> Call? {
        guard let index = entries[head...].firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: index).call
    }
}
