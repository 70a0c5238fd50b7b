import EventLoops

/// When a connection pings its peer, and when it is given up.
struct Keepalive {
    enum Step { case wait, ping, giveUp }

    private let interval: Duration
    private let timeout: Duration
    private var pingSent: MonotonicTime?
    /// When the last frame was received.
    private(set) var lastActivity: MonotonicTime

    init(_ limits: Limits) {
        interval = limits.keepaliveInterval
        timeout = limits.pingTimeout
        lastActivity = .now
    }

    /// How often `step` is to be called.
    var period: Duration { min(interval, timeout) }

    /// A frame came: any frame shows that the peer is alive.
    mutating func received(_ now: MonotonicTime) {
        lastActivity = now
        pingSent = nil
    }

    /// The peer is still taking what was sent before the ping; the time for its answer starts again.
    mutating func waitOn(_ now: MonotonicTime) { pingSent = now }

    /// What to do now. A ping is sent only while calls are open.
    mutating func step(_ now: MonotonicTime, hasCalls: Bool) -> Step {
        if let pingSent { return now.since(pingSent) >= timeout ? .giveUp : .wait }
        guard hasCalls, now.since(lastActivity) >= interval else { return .wait }
        pingSent = now
        return .ping
    }
}

/// How much of what was written has reached the peer: distinguishes a slow peer from one that hangs.
struct Delivery {
    /// Bytes that the socket took, and how many of them had reached the peer at the last check.
    private var written = 0
    private var arrived = 0
    /// Bytes before the last ping.
    private var pingStart = 0

    /// The socket took more.
    mutating func wrote(_ count: Int) { written += count }

    /// Checks how much is still in flight. Returns whether more has arrived since the last check.
    mutating func look(unacknowledged: Int) -> Bool {
        let before = arrived
        arrived = written - unacknowledged
        return arrived > before
    }

    /// A ping is sent after what was written and `queued` more bytes.
    mutating func pinged(behind queued: Int, unacknowledged: Int) {
        pingStart = written + queued
        _ = look(unacknowledged: unacknowledged)
    }

    /// Whether the peer is still taking what was sent before the ping, so that it could not answer yet. That the ping
    /// and what follows it arrive proves nothing: the peer's system acknowledges even for a process that hangs.
    mutating func isComingToPing(unacknowledged: Int) -> Bool {
        let wasBeforePing = arrived < pingStart
        return look(unacknowledged: unacknowledged) && wasBeforePing
    }
}
