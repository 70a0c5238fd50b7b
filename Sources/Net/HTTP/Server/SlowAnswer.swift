import EventLoops

/// Watches an answer that does not come at once: it is stopped when its time is over, and when its client has gone,
/// which libmicrohttpd can't see while the connection waits.
final class SlowAnswer: TimerOwner {
    private enum Tag {
        static let isLate: UInt32 = 0
        static let isSlow: UInt32 = 1
    }

    private unowned let daemon: HTTPDaemon
    private let exchange: UInt64
    private let descriptor: Int32
    private var timers: [TimerToken] = []
    private(set) var hangUp: HangUpWatch?

    /// - Parameter limit: how long the answer may take from now on; nil: as long as the client waits.
    init(_ daemon: HTTPDaemon, _ exchange: UInt64, _ descriptor: Int32, limit: Duration?) {
        self.daemon = daemon
        self.exchange = exchange
        self.descriptor = descriptor
        timers.append(daemon.loop.setTimer(.now + daemon.limits.unwatched, owner: self, tag: Tag.isSlow))
        // From now, not from the start of the turn: the answer's own deadline must pass first, so that it is the one
        // reported.
        if let limit { timers.append(daemon.loop.setTimer(.now + limit, owner: self, tag: Tag.isLate)) }
    }

    /// The answer has come, or is no longer needed.
    func stop() {
        for timer in timers { daemon.loop.cancelTimer(timer) }
        hangUp?.stop()
    }

    func timerFired(_ tag: UInt32) {
        if tag == Tag.isSlow {
            hangUp = HangUpWatch(daemon, exchange, descriptor)
        } else {
            let exchange = exchange
            daemon.onLoop { $0.exchanges[exchange]?.cancel() }
        }
    }
}
