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
