import EventLoops

extension FrameTransport {
    /// TLS holds something that the loop can't know of: it is looked after in the next turn.
    func careForTLS() {
        // Kept until then, as by a registration.
        let owner = owner
        if hasMore { loop.executeLater { owner.ready(read: true, write: false) } }
        if waitsForPeer { scheduleFlush() }
    }
}
