import EventLoops

/// The end of a connection that was not broken: what was collected is written, our side is shut down, and what still
/// comes is read and dropped until the peer closes too. It decides; the transport does it.
///
/// A socket that is closed with unread bytes resets the connection, and the peer could lose our last frames, the reason
/// among them.
struct LingeringClose {
    /// How long the peer has to take more of the last frames, and to close its side.
    static let patience: Duration = .seconds(5)
    /// How long a peer that is slow may take for all of them.
    static let longest: Duration = .seconds(60)

    private(set) var reason: String?
    /// Nothing more is taken as frames, nor collected.
    private(set) var hasBegun = false
    private var hasShutDown = false
    private var end = MonotonicTime.distantFuture

    /// Begins at `now`. False when it had begun.
    mutating func begin(_ reason: String?, at now: MonotonicTime) -> Bool {
        guard !hasBegun else { return false }
        (hasBegun, self.reason, end) = (true, reason, now + Self.longest)
        return true
    }

    /// A peer that is slow gets no more time than one that takes nothing.
    mutating func hurry(at now: MonotonicTime) { end = now }

    /// Whether our side is to be shut down: everything is written, and it was not done.
    func wantsShutDown(isAllWritten: Bool) -> Bool { hasBegun && isAllWritten && !hasShutDown }

    /// Our side was shut down; false when the socket was not ready for it.
    mutating func shutDown(_ isDone: Bool) { hasShutDown = isDone }

    /// `patience` has passed, and the peer has not closed. Whether it is still taking what was sent, and may go on.
    func waitsOn(hasTakenMore: Bool, hasTakenAll: Bool, at now: MonotonicTime) -> Bool {
        hasTakenMore && !hasTakenAll && now < end
    }
}
