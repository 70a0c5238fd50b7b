/// When a connection writes the frames that it has collected. It decides; the transport asks the loop and writes.
///
/// A peer on another processor works on what is written in the middle of a turn while we go on. One that shares ours
/// interrupts us, so it gets more at once.
struct WriteSchedule {
    /// What the loop is to be asked for.
    struct Request: Equatable {
        enum Flush: Equatable { case atTurnEnd, whenIdle }

        /// A write as soon as the task that runs has ended.
        var write = false
        /// The flush that ends the turn.
        var flush: Flush?
    }

    /// So many frames go to a peer that shares our processor before the loop is idle.
    static let framesWorthInterrupting = 32
    /// Threads move to other processors far less often than they are read from.
    static let readsBetweenLooks = 64

    private var isWriteScheduled = false
    private var isFlushScheduled = false
    /// Frames since the last write.
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
        // The only processor is ours until we rest; of several, another one may be free for the peer.
        request.flush = sharesProcessor && processors == 1 ? .whenIdle : .atTurnEnd
        return request
    }

    /// The loop has come to the write that was asked for. Whether it is worth it before the turn ends.
    mutating func writes() -> Bool {
        isWriteScheduled = false
        return !sharesProcessor || frameCount >= Self.framesWorthInterrupting
    }

    /// The turn ends.
    mutating func flushes() { (isWriteScheduled, isFlushScheduled) = (false, false) }

    /// What was collected is being written.
    mutating func wrote() { frameCount = 0 }

    /// The peer is read from. Whether it is time to look again where it runs; `looked` takes what is seen.
    mutating func readsAndLooks() -> Bool {
        readsUntilLook -= 1
        guard readsUntilLook < 0 else { return false }
        readsUntilLook = Self.readsBetweenLooks
        return true
    }

    mutating func looked(sharesProcessor: Bool) { self.sharesProcessor = sharesProcessor }
}
