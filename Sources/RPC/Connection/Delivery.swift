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
