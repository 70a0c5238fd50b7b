import Budgets
import EventLoops

/// The calls of one method that wait for others to end. Clients take turns (`FairQueue`): one that sends many at once
/// makes its own wait. It only decides; it resumes no task.
///
/// The queue is bounded by time, after CoDel (RFC 8289): a burst may wait long, but a queue that has not been empty
/// for a while only adds latency to every call, so calls may wait less there. What counts as long follows from the
/// callers' deadlines.
struct AdmissionQueue<Call> {
    struct Arrival {
        let id: UInt64
        let client: ClientKey
        let since: MonotonicTime
        /// The time that the call had left when it arrived.
        let timeout: Duration
    }

    private var calls = FairQueue<(call: Call, id: UInt64)>(slots: .max, waiting: Self.maximumEntries)
    /// In order of arrival, those that have left among them.
    private var arrivals: [Arrival] = []
    private var head = 0
    private var present: Set<UInt64> = []
    /// When the queue was last empty.
    private var lastEmpty: MonotonicTime

    /// How long a queue that has not been empty counts as a burst.
    private static var burst: Duration { .milliseconds(100) }
    /// The divisor of a call's time-out that gives its longest wait: in a burst, and in a standing queue.
    private static var shares: (burst: Int, standing: Int) { (4, 10) }
    private static var leastWait: Duration { .milliseconds(10) }
    private static var maximumEntries: Int { 4096 }

    init(now: MonotonicTime) { lastEmpty = now }

    var isEmpty: Bool { calls.isEmpty }
    var count: Int { calls.count }

    /// How long a call with this time-out may wait when it is checked at `now` and calls take `latency`.
    func patience(_ now: MonotonicTime, latency: Duration, timeout: Duration) -> Duration {
        if now.since(lastEmpty) <= Self.burst { return Self.burstPatience(timeout) }
        // Half is for the call itself.
        return max(Self.leastWait, min(timeout / 2, max(latency * 2, timeout / Self.shares.standing)))
    }

    /// How long a call with this time-out may wait in a burst.
    static func burstPatience(_ timeout: Duration) -> Duration { max(leastWait, timeout / shares.burst) }

    /// Whether a client's call that came now would certainly wait too long, given how many have their turn before it
    /// and the rate at which calls end.
    func isHopeless(
        _ now: MonotonicTime, latency: Duration, rate: Double, timeout: Duration, for client: ClientKey = .process
    ) -> Bool {
        guard rate > 0 else { return false }
        let ahead = min(count, (calls.count(of: client) + 1) * calls.clients)
        return .seconds(Double(ahead) / rate) > patience(now, latency: latency, timeout: timeout)
    }

    /// Appends a call; `id` is the key for removing it. False when its client may have no more waiting.
    mutating func append(
        _ call: Call, _ id: UInt64, _ now: MonotonicTime, timeout: Duration, for sharer: Sharer = .process
    ) -> Bool {
        let wasEmpty = isEmpty
        guard calls.add((call, id), id, for: sharer) else { return false }
        if wasEmpty { lastEmpty = now }
        present.insert(id)
        arrivals.append(Arrival(id: id, client: sharer.client, since: now, timeout: timeout))
        return true
    }

    /// Removes and returns the call whose turn it is.
    mutating func next(_ now: MonotonicTime) -> Call? {
        guard let next = calls.next() else { return nil }
        calls.end(of: next.client)
        left(next.element.id, now)
        return next.element.call
    }

    /// Removes and returns the call that has waited longest.
    mutating func removeFirst(_ now: MonotonicTime) -> Call? {
        guard let first, let removed = calls.remove(first.id, of: first.client) else { return nil }
        left(first.id, now)
        return removed.call
    }

    /// Whether the call that has waited longest did so for longer than it may.
    func isExpired(_ now: MonotonicTime, latency: Duration) -> Bool {
        first.map { now.since($0.since) > patience(now, latency: latency, timeout: $0.timeout) } ?? false
    }

    /// The call that has waited longest.
    var first: Arrival? { head < arrivals.count ? arrivals[head] : nil }

    /// Removes a call that gives up waiting; nil when it is not in the queue.
    mutating func remove(_ id: UInt64, of client: ClientKey = .process) -> Call? {
        guard let removed = calls.remove(id, of: client) else { return nil }
        left(id, nil)
        return removed.call
    }

    /// - Parameter now: nil where it does not count that the queue may be empty.
    private mutating func left(_ id: UInt64, _ now: MonotonicTime?) {
        present.remove(id)
        if let now, isEmpty { lastEmpty = now }
        while let first, !present.contains(first.id) { head += 1 }
        guard head > 64, head > arrivals.count / 2 else { return }
        arrivals.removeFirst(head)
        head = 0
    }
}
