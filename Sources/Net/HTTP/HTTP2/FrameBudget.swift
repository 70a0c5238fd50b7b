import EventLoops

/// How many frames that bring nothing a peer may send: each costs the server work, and none the peer. Refills with
/// time.
///
/// The frames are those of known attacks: resets (CVE-2023-44487), streams that the peer makes us reset
/// (CVE-2025-8671), pings, settings, priorities and empty data (CVE-2019-9512 to 9518).
struct FrameBudget {
    /// What the peer may spend at once, and in a second.
    private static let burst: Double = 1000
    private static let perSecond: Double = 100
    /// Bytes that were sent to the peer, for which it may send one more: it opens its window for them.
    private static let bytesPerFrame: Double = 1024

    private var left = burst
    private var time: MonotonicTime

    init(at time: MonotonicTime) { self.time = time }

    /// Pays for a frame; false when the peer has sent too many.
    mutating func pay(_ cost: Double = 1, at now: MonotonicTime) -> Bool {
        left = min(Self.burst, left + Double(now.nanoseconds(since: time)) / 1e9 * Self.perSecond) - cost
        time = now
        return left >= 0
    }

    /// So many bytes were sent to the peer.
    mutating func earn(sent bytes: Int) { left = min(Self.burst, left + Double(bytes) / Self.bytesPerFrame) }
}
