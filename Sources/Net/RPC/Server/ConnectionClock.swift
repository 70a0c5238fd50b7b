import EventLoops

/// When a server's connection pings its peer, is idle, or is too old.
struct ConnectionClock {
    enum Step { case ping, giveUp, drain(String), cut }

    private let limits: Limits
    var keepalive: Keepalive
    var timer: TimerToken?
    /// When it is too old.
    private let end: MonotonicTime

    init(_ limits: Limits) {
        self.limits = limits
        keepalive = Keepalive(limits)
        // Clients that connected at the same time must not all leave at the same time.
        end = .now + limits.maximumAge * Double.random(in: 0.9...1.1)
    }

    /// How often `step` is to be called.
    var period: Duration {
        min(keepalive.period, limits.idleTime, limits.maximumAge, limits.ageGrace, limits.streamPatience)
    }

    /// What to do now.
    mutating func step(_ now: MonotonicTime, openCalls: Int) -> Step? {
        if now >= end + limits.ageGrace { return .cut }
        if now >= end { return .drain("the connection is \(limits.maximumAge) old") }
        if openCalls == 0, now.since(keepalive.lastActivity) >= limits.idleTime { return .drain("idle") }
        switch keepalive.step(now, hasCalls: openCalls > 0) {
        case .wait: return nil
        case .ping: return .ping
        case .giveUp: return .giveUp
        }
    }
}

extension ServerConnection: TimerOwner {
    /// The deadline of a call, or (tag 0) the time to check the connection itself.
    package nonisolated func timerFired(_ tag: UInt32) {
        onLoop { connection in
            if tag == 0 { connection.clockTicked() } else { connection.end(tag, .tooLate) }
        }
    }

    func scheduleClock() { clock.timer = loop.setTimer(loop.now + clock.period, owner: self, tag: 0) }

    private func clockTicked() {
        settle()
        endUnreadStreams()
        switch clock.step(loop.now, openCalls: state.openCalls) {
        case nil: break
        case .ping: transport?.ping()
        case .drain(let reason): drain(reason)
        case .cut: abort("the connection is too old; call again")
        case .giveUp where transport?.isComingToPing() ?? false: clock.keepalive.waitOn(loop.now)
        case .giveUp: return transport?.closeNow("no sign of life for \(limits.pingTimeout)") ?? ()
        }
        if transport != nil { scheduleClock() }
    }

    /// Gives back what is kept for the next calls.
    private func settle() {
        endIdleHandlers()
        memory.settle()
        transport?.settle()
    }

    /// Ends streams whose readers take nothing. Where bytes are still queued, the network is slow, and not the reader.
    private func endUnreadStreams() {
        guard transport?.hasRoom ?? false else { return }
        let unread = state.calls { call in
            guard let since = call.streams?.answers?.stalled else { return false }
            return loop.now.since(since) >= limits.streamPatience
        }
        for id in unread { end(id, SendWindow.tooSlow(limits.streamPatience)) }
    }
}
