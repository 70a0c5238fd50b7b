/// When a connection writes the frames that it has collected. It decides; the transport asks the loop and writes.
///
/// A peer on another processor can work on what is written in the middle of a turn while we continue. One that shares
/// our processor interrupts us, so it gets more frames at once.
struct WriteSchedule {
    /// What the loop is to be asked for.
    struct Request: Equatable {
        enum Flush: Equatable { case atTurnEnd, whenIdle }

        /// A write as soon as the running task has ended.
        var write = false
        /// The flush that ends the turn.
        var flush: Flush?
    }

    /// This many frames are worth interrupting us for, when the peer shares our processor, before the loop is idle.
    static let framesWorthInterrupting = 32
    /// Reads between two checks of the peer's processor: threads move to other processors far less often.
    static let readsBetweenLooks = 64

    private var isWriteScheduled = false
    private var isFlushScheduled = false
    /// Frames collected since the last write.
    private var frameCount = 0
    private var sharesProcessor = false
    private var readsUntilLook = 0

    /// A frame was collected on a machine with so many processors.
    mutating func collected(processors: Int) -> Request {
        frameCount += 1
        var request = Request(write: !isWriteScheduled)
        isWriteScheduled = true
        guard !isFlushScheduled else { return request }
        isFlushScheduled = true
        // A single processor is ours until we rest; of several, another one may be free for the peer.
        request.flush = sharesProcessor && processors == 1 ? .whenIdle : .atTurnEnd
        return request
    }

    /// The loop has reached the write that was asked for. Returns whether it is worth writing before the turn ends.
    mutating func writes() -> Bool {
        isWriteScheduled = false
        return !sharesProcessor || frameCount >= Self.framesWorthInterrupting
    }

    /// The turn ends.
    mutating func flushes() { (isWriteScheduled, isFlushScheduled) = (false, false) }

    /// What was collected is being written.
    mutating func wrote() { frameCount = 0 }

    /// A read from the peer. Returns whether to check again on which processor it runs; `looked` takes the result.
    mutating func readsAndLooks() -> Bool {
        readsUntilLook -= 1
        guard readsUntilLook < 0 else { return false }
        readsUntilLook = Self.readsBetweenLooks
        return true
    }

    mutating func looked(sharesProcessor: Bool) { self.sharesProcessor = sharesProcessor }
}
