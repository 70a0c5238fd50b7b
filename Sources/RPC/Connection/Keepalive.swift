import EventLoops

/// When a connection asks its peer for a sign of life, and when it gives it up.
struct Keepalive {
    enum Step { case wait, ping, giveUp }

    private let interval: Duration
    private let timeout: Duration
    private var pingSent: MonotonicTime?
    /// When the last frame came.
    private(set) var lastActivity: MonotonicTime

    init(_ limits: Limits) {
        interval = limits.keepaliveInterval
        timeout = limits.pingTimeout
        lastActivity = .now
    }

    /// How often `step` is to be asked.
    var period: Duration { min(interval, timeout) }

    /// A frame came: whatever it is, it is a sign of life.
    mutating func received(_ now: MonotonicTime) {
        lastActivity = now
        pingSent = nil
    }

    /// The peer still takes what was sent before the ping, and has the time for its answer anew.
    mutating func waitOn(_ now: MonotonicTime) { pingSent = now }

    /// What to do now. Only a connection with open calls asks.
    mutating func step(_ now: MonotonicTime, hasCalls: Bool) -> Step {
        if let pingSent { return now.since(pingSent) >= timeout ? .giveUp : .wait }
        guard hasCalls, now.since(lastActivity) >= interval else { return .wait }
        pingSent = now
        return .ping
    }
}
