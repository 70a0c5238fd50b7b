/// How much of what was written has come to the peer: tells a peer that is slow from one that hangs.
struct Delivery {
    /// Bytes that the socket took, and those of them that had come to the peer at the last look.
    private var written = 0
    private var arrived = 0
    /// Bytes before the last ping.
    private var pingStart = 0

    /// The socket took more.
    mutating func wrote(_ count: Int) { written += count }

    /// Looks how much of it is still on its way. Says whether more has come than at the look before.
    mutating func look(unacknowledged: Int) -> Bool {
        let before = arrived
        arrived = written - unacknowledged
        return arrived > before
    }

    /// A ping follows on what was written and `queued` bytes.
    mutating func pinged(behind queued: Int, unacknowledged: Int) {
        pingStart = written + queued
        _ = look(unacknowledged: unacknowledged)
    }

    /// Looks whether the peer is still taking what was sent before the ping, so that it could not answer yet. That it
    /// takes the ping and what follows says nothing: its system does so even for a process that hangs.
    mutating func isComingToPing(unacknowledged: Int) -> Bool {
        let wasBeforePing = arrived < pingStart
        return look(unacknowledged: unacknowledged) && wasBeforePing
    }
}
