import EventLoops

/// The end of a connection that is not broken: what was collected is written, our side is shut down, and what still
/// arrives is read and dropped until the peer closes too. It decides; the transport does it.
///
/// Closing a socket with unread bytes resets the connection, and the peer could lose our last frames, which include
/// the reason.
struct LingeringClose {
    /// How long the peer has to take more of the last frames, and to close its side.
    static let patience: Duration = .seconds(5)
    /// How long a slow peer may take for all of them.
    static let longest: Duration = .seconds(60)

    private(set) var reason: String?
    /// From now on, input is not parsed as frames and no output is collected.
    private(set) var hasBegun = false
    private var hasShutDown = false
    private var end = MonotonicTime.distantFuture

    /// Begins at `now`. False when it had already begun.
    mutating func begin(_ reason: String?, at now: MonotonicTime) -> Bool {
        guard !hasBegun else { return false }
        (hasBegun, self.reason, end) = (true, reason, now + Self.longest)
        return true
    }

    /// A slow peer gets no more time than one that takes nothing.
    mutating func hurry(at now: MonotonicTime) { end = now }

    /// Whether our side is to be shut down: everything is written, and it has not been shut down yet.
    func wantsShutDown(isAllWritten: Bool) -> Bool { hasBegun && isAllWritten && !hasShutDown }

    /// Our side was shut down; false when the socket was not ready for it.
    mutating func shutDown(_ isDone: Bool) { hasShutDown = isDone }

    /// `patience` has passed, and the peer has not closed. Whether it is still taking what was sent, and gets more
    /// time.
    func waitsOn(hasTakenMore: Bool, hasTakenAll: Bool, at now: MonotonicTime) -> Bool {
        hasTakenMore && !hasTakenAll && now < end
    }
}
