import EventLoops

extension FrameTransport {
    /// TLS holds data or output that the loop can't see: it is handled in the next turn.
    func careForTLS() {
        // Retained until then, as by a registration.
        let owner = owner
        if hasMore { loop.executeLater { owner.ready(read: true, write: false) } }
        if waitsForPeer { scheduleFlush() }
    }
}
