import EventLoops

/// How many frames that bring nothing a peer may send: each costs the server work, and the peer nearly none. Refills
/// with time, and with what the peer is answered, for which it may open its windows.
///
/// The frames are those of known attacks: resets (CVE-2023-44487), streams that the peer makes us reset
/// (CVE-2025-8671), pings, settings, priorities and empty data (CVE-2019-9511 to 9518).
struct FrameBudget {
    /// What the peer may spend at once, and in a second.
    private static let burst: Double = 1000
    private static let perSecond: Double = 100
    /// For a frame of data that was sent to it, and for an answer that was sent as a whole.
    private static let forData: Double = 2
    private static let forAnswer: Double = 4
    /// Data in smaller pieces earn nothing: the peer keeps its window that small.
    private static let smallestData = 16

    private var left = burst
    private var time: MonotonicTime

    init(at time: MonotonicTime) { self.time = time }

    /// Pays for a frame; false when the peer has sent too many.
    mutating func pay(_ cost: Double = 1, at now: MonotonicTime) -> Bool {
        left = min(Self.burst, left + Double(now.nanoseconds(since: time)) / 1e9 * Self.perSecond) - cost
        time = now
        return left >= 0
    }

    /// A frame of data was sent to the peer.
    mutating func sent(data bytes: Int, isLast: Bool) {
        guard bytes >= Self.smallestData || isLast else { return }
        left = min(Self.burst, left + (isLast ? Self.forAnswer : Self.forData))
    }
}
