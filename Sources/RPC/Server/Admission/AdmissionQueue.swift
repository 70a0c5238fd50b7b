import EventLoops

/// The calls of one method that wait for others to end, in the order in which they came. Decides; wakes nobody.
///
/// The queue is bounded by time, after CoDel (RFC 8289): a burst may wait long, but when the queue has not been empty
/// for a while it only adds latency to every call, and less of it is let pass. How long is long, the callers tell by
/// their deadlines.
struct AdmissionQueue<Call> {
    struct Entry {
        let call: Call
        let id: UInt64
        let since: MonotonicTime
        /// What was left for the call when it came.
        let timeout: Duration
    }

    private var entries: [Entry] = []
    private var head = 0
    /// When it was empty last.
    private var lastEmpty: MonotonicTime

    /// How long the queue is a burst, when it has not been empty.
    private static var burst: Duration { .milliseconds(100) }
    /// Which part of its time a call of a burst may wait, and one of a queue that stands.
    private static var shares: (burst: Int, standing: Int) { (4, 10) }
    private static var leastWait: Duration { .milliseconds(10) }
    private static var mostEntries: Int { 4096 }

    init(now: MonotonicTime) { lastEmpty = now }

    var isEmpty: Bool { head == entries.count }
    var count: Int { entries.count - head }

    /// How long a call with this time-out may wait that is looked at now, when calls take `latency`.
    func patience(_ now: MonotonicTime, latency: Duration, timeout: Duration) -> Duration {
        if now.since(lastEmpty) <= Self.burst { return Self.burstPatience(timeout) }
        // Half is for the call itself.
        return max(Self.leastWait, min(timeout / 2, max(latency * 2, timeout / Self.shares.standing)))
    }

    /// How long a call with this time-out may wait in a burst.
    static func burstPatience(_ timeout: Duration) -> Duration { max(leastWait, timeout / shares.burst) }

    /// Whether a call that came now would certainly wait too long: so many are before it, and so many end a second.
    func isHopeless(_ now: MonotonicTime, latency: Duration, rate: Double, timeout: Duration) -> Bool {
        if count >= Self.mostEntries { return true }
        guard rate > 0 else { return false }
        return .seconds(Double(count) / rate) > patience(now, latency: latency, timeout: timeout)
    }

    /// Puts a call at the end; `id` is the name under which it can be taken out.
    mutating func append(_ call: Call, _ id: UInt64, _ now: MonotonicTime, timeout: Duration) {
        if isEmpty { lastEmpty = now }
        entries.append(Entry(call: call, id: id, since: now, timeout: timeout))
    }

    /// Takes the first call out.
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

    /// Who waits longest.
    var first: Entry? { isEmpty ? nil : entries[head] }

    /// Takes a call out that does not want to wait any more; nil when it does not wait here.
    mutating func remove(_ id: UInt64) -> Call? {
        guard let index = entries[head...].firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: index).call
    }
}
