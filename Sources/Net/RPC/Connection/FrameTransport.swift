import Budgets
import EventLoops
import Wire

/// The memory that a connection holds for its client.
struct TransportMemory: ~Copyable {
    /// The connection itself.
    var connection: MemoryAccount
    /// A frame that is not whole yet.
    var input: MemoryAccount
    /// Frames that the client has not taken yet. The queue takes it over.
    var output: MemoryAccount?
}

/// A socket that speaks frames: reads them, and collects what is to be written until the end of the loop's turn.
///
/// Belongs to one connection and lives on that connection's loop.
final class FrameTransport: TimerOwner {
    /// The owner of the transport. Called on the loop.
    protocol Owner: LoopActor {
        /// A whole frame. The payload is valid during the call only.
        func received(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer)
        /// There is no memory for a frame; its payload is discarded as it comes.
        func dropped(_ header: FrameHeader)
        /// The bytes received are not frames.
        nonisolated func broke(_ reason: String)
        /// The connection is over; the reason is nil when the peer closed it.
        nonisolated func closed(_ reason: String?)
    }

    let loop: EventLoop
    private var socket: ConnectedSocket?
    private var registration: Registration?
    unowned let owner: any Owner & IOHandler & TurnEndObserver
    private var decoder: FrameDecoder
    private var output: OutputQueue
    private var memory: TransportMemory?
    /// The most bytes of payload in a frame to the peer: the limit in its hello, and our own until then.
    var peerLimit: Int
    private var schedule = WriteSchedule()
    /// Why a write in the middle of a turn failed; the connection ends with the turn.
    private var writeFailure: String?
    private var isWriteBlocked = false
    private var isReadPaused = false
    private var closing = LingeringClose()
    private var closeTimer: TimerToken?
    private var delivery = Delivery()

    /// From this size on, copying a payload costs more than a separate write.
    private static let longPayload = 32 << 10

    init(
        _ socket: consuming ConnectedSocket, loop: EventLoop, limits: Limits,
        memory: consuming TransportMemory? = nil, owner: any Owner & IOHandler & TurnEndObserver
    ) {
        var memory = consume memory
        output = OutputQueue(limit: limits.queuedBytes, memory: memory?.output.take())
        self.socket = consume socket
        self.memory = consume memory
        self.loop = loop
        self.owner = owner
        decoder = FrameDecoder(maximumPayload: limits.frameBytes)
        peerLimit = limits.frameBytes
    }

    var isOpen: Bool { socket != nil }

    /// Whether TLS holds bytes that were not read, or waits for the peer; see `ConnectedSocket`.
    var hasMore: Bool { socket?.hasMore ?? false }
    var waitsForPeer: Bool { socket?.waitsForPeer ?? false }

    /// Whether an answer may be added.
    var hasRoom: Bool { output.hasRoom }

    /// Whether the budget has this many bytes for an answer.
    func hasMemory(for bytes: Int) -> Bool {
        output.hasMemory(for: bytes + FrameHeader.byteCount, besides: heldBack)
    }

    /// Bytes that TLS holds for the peer besides.
    private var heldBack: Int { socket?.heldBack ?? 0 }

    /// Frees what is kept for the next burst: none has come for a while.
    func settle() {
        guard isOpen, output.isEmpty, heldBack == 0 else { return }
        output.settle()
        memory?.input.settle(at: decoder.heldBytes)
    }

    /// Wakes the writer of a stream as soon as `hasRoom` is true again, unless it is forgotten before.
    func wakeWhenRoom(_ window: SendWindow) { output.addWaiting(window) }

    /// The writer of a stream does not wait any more.
    func forget(_ window: SendWindow) { output.forget(window) }

    /// Resumes as soon as `hasRoom` is true again, or the connection is over.
    func wakeWhenRoom(_ waiter: Waiter<Void>) {
        if isOpen { output.addWaiting(waiter) } else { waiter.resume() }
    }

    /// Sends a ping.
    func ping() {
        delivery.pinged(behind: output.count, unacknowledged: unacknowledgedBytes)
        send(FrameHeader(.ping))
    }

    /// Whether the peer is still taking what was sent before the ping, so that it could not answer yet.
    func isComingToPing() -> Bool { delivery.isComingToPing(unacknowledged: unacknowledgedBytes) }

    private var unacknowledgedBytes: Int { socket?.unacknowledgedBytes ?? 0 }

    /// Registers the socket with the loop.
    func start() throws(SystemError) {
        guard let descriptor = socket?.descriptor else { return }
        registration = try loop.register(descriptor, owner)
        if hasMore { careForTLS() }
    }

    /// Reads what is available, once: a busy peer must not keep the loop from its other sockets.
    func readFrames<Reader: Owner>(for owner: isolated Reader) {
        guard isOpen, !isReadPaused else { return }
        defer { if hasMore || waitsForPeer { careForTLS() } }
        let scratch = unsafe loop.scratch
        do {
            guard let count = try unsafe socket?.read(into: scratch) else { return }
            guard count > 0 else { return closeNow(closing.reason ?? decoder.hint) }
            loop.counters.received(count)
            if closing.hasBegun { return }
            if schedule.readsAndLooks() { schedule.looked(sharesProcessor: socket?.sharesProcessorWithPeer ?? false) }
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: scratch[..<count])
            // Written inline: a closure with a name is allocated on the heap.
            try unsafe decoder.feed(bytes, keeps: { self.keeps($0, $1, for: owner) }) { header, payload in
                if isOpen, !closing.hasBegun, writeFailure == nil { unsafe owner.received(header, payload) }
            }
            _ = memory?.input.hold(decoder.heldBytes)
        } catch let error as FrameError {
            owner.broke(error.description)
        } catch {
            closeNow("\(error)")
        }
    }

    /// Whether an incomplete frame may take so much memory; if not, its owner is notified.
    private func keeps<Reader: Owner>(_ header: FrameHeader, _ byteCount: Int, for owner: isolated Reader) -> Bool {
        if memory?.input.hold(byteCount) ?? true { return true }
        if isOpen, !closing.hasBegun { owner.dropped(header) }
        return false
    }

    /// Appends a frame without a payload.
    func send(_ header: FrameHeader) {
        guard isOpen, !closing.hasBegun else { return }
        output.append(header)
        scheduleFlush()
    }

    /// Appends a frame with a packed message. False, and nothing is sent, when it is longer than the peer accepts.
    @discardableResult
    func send(_ header: FrameHeader, _ message: some WireMessage) -> Bool {
        message.withPacked { packed in send(header, packed) }
    }

    /// Appends a frame with a message that is about to be packed. False as above.
    func send(_ header: FrameHeader, _ packed: borrowing PackedMessage) -> Bool {
        guard isOpen, !closing.hasBegun else { return true }
        guard packed.byteCount <= peerLimit else { return false }
        unsafe output.append(header, payloadBytes: packed.byteCount) { room in unsafe packed.write(to: room) }
        scheduleFlush()
        return true
    }

    /// Appends a frame with bytes. False, and nothing is sent, when it is longer than the peer accepts.
    @discardableResult
    func send(_ header: FrameHeader, bytes: UnsafeRawBufferPointer) -> Bool {
        guard isOpen, !closing.hasBegun else { return true }
        guard bytes.count <= peerLimit else { return false }
        if bytes.count >= Self.longPayload, mayWrite, socket?.isEncrypted == false {
            unsafe writeThrough(header, bytes)
        } else {
            unsafe output.append(header, payloadBytes: bytes.count) { room in unsafe room.copyMemory(from: bytes) }
        }
        scheduleFlush()
        return true
    }

    /// Writes a long payload without copying it, after what was collected; only what the socket does not take is
    /// copied.
    private func writeThrough(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
        output.appendHeader(header, payloadBytes: payload.count)
        var written = 0
        do {
            written = try unsafe output.withBytes { collected throws(ConnectedSocket.Failure) in
                try unsafe socket?.write(collected, payload) ?? 0
            }
        } catch {
            writeFailure = "\(error)"
        }
        sent(written)
        let collected = min(written, output.count)
        output.consume(collected)
        unsafe output.append(UnsafeRawBufferPointer(rebasing: payload[(written - collected)...]))
    }

    /// Appends a frame with packed bytes. False, and nothing is sent, when they are longer than the peer accepts.
    @discardableResult
    func send(_ header: FrameHeader, _ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe send(header, bytes: $0) }
    }

    /// Closes once everything is written and the peer has closed too, or after a time limit: sooner when the peer takes
    /// nothing.
    func close(after reason: String?) {
        guard isOpen, closing.begin(reason, at: loop.now) else { return }
        _ = delivery.look(unacknowledged: unacknowledgedBytes)
        closeTimer = loop.setTimer(loop.now + LingeringClose.patience, owner: self, tag: 0)
        scheduleFlush()
    }

    /// Closes in the same way, but gives a slow peer no more time than one that takes nothing.
    func closeSoon(after reason: String?) {
        close(after: reason)
        closing.hurry(at: loop.now)
    }

    /// Closes at once.
    func closeNow(_ reason: String?) {
        guard let descriptor = socket?.descriptor else { return }
        if let registration { loop.deregister(descriptor, registration) }
        if let closeTimer { loop.cancelTimer(closeTimer) }
        registration = nil
        socket = nil
        for call in output.takeCalls() { call.resume() }
        owner.closed(reason)
    }

    /// Writes what was collected. Called at the end of a turn, or when the peer has room again.
    func flush() {
        schedule.flushes()
        guard isOpen else { return }
        if let writeFailure { return closeNow(writeFailure) }
        do {
            try writeOutput()
            checkMemory()
            if closing.wantsShutDown(isAllWritten: output.isEmpty) {
                closing.shutDown(try socket?.shutDownWriting() ?? true)
            }
            try updateInterest()
            wakeWriters()
        } catch {
            closeNow("\(error)")
        }
    }

    /// Writes what was collected so far. Everything else is left to `flush` at the end of the turn.
    func write() {
        guard schedule.writes(), mayWrite else { return }
        do {
            try writeOutput()
        } catch {
            writeFailure = "\(error)"
        }
    }

    private func sent(_ count: Int) {
        delivery.wrote(count)
        loop.counters.sent(count)
    }

    private var mayWrite: Bool { isOpen && !isWriteBlocked && writeFailure == nil }

    private func wakeWriters() {
        guard output.isAwaited, hasRoom else { return }
        for window in output.takeStreams() { window.wake() }
        for call in output.takeCalls() { call.resume() }
    }

    private func writeOutput() throws(ConnectedSocket.Failure) {
        schedule.wrote()
        while !output.isEmpty {
            let written = try unsafe output.withBytes { bytes throws(ConnectedSocket.Failure) in
                try unsafe socket?.write(bytes) ?? nil
            }
            guard let written else { break }
            sent(written)
            output.consume(written)
        }
        try socket?.sendHeldBack()
        output.shrinkAfterBurst()
    }

    /// Waits for room when the peer does not take what is written, and stops reading from one that takes nothing.
    private func updateInterest() throws(SystemError) {
        let blocked = socket?.needsRoom(!output.isEmpty) ?? false
        let paused = output.isTooLongToRead
        guard blocked != isWriteBlocked || paused != isReadPaused else { return }
        isWriteBlocked = blocked
        isReadPaused = paused
        guard let descriptor = socket?.descriptor, let registration else { return }
        try loop.watch(descriptor, registration, read: !paused, write: blocked)
    }

    /// The peer did not close in time, or is still reading.
    func timerFired(_ tag: UInt32) {
        let unacknowledged = unacknowledgedBytes
        let hasTakenMore = delivery.look(unacknowledged: unacknowledged)
        let hasTakenAll = output.isEmpty && unacknowledged == 0
        guard closing.waitsOn(hasTakenMore: hasTakenMore, hasTakenAll: hasTakenAll, at: loop.now) else {
            return closeNow(closing.reason)
        }
        closeTimer = loop.setTimer(loop.now + LingeringClose.patience, owner: self, tag: 0)
    }

    /// Reports the queue's memory to the budget.
    private func checkMemory() {
        output.pay(besides: heldBack)
        if output.isOverdrawn { dropUnlessRead() }
    }

    /// A peer that lets answers pile up for which there is no memory is dropped.
    private func dropUnlessRead() {
        if mayWrite {
            do { try writeOutput() } catch { writeFailure = "\(error)" }
        }
        guard output.isOverdrawn else { return }
        writeFailure = writeFailure ?? "the peer does not read, and there is no memory for more answers"
    }

    func scheduleFlush() {
        if output.isUnpaid { checkMemory() }
        let request = schedule.collected(processors: Processors.count)
        if request.write { loop.writeSoon(owner) }
        switch request.flush {
        case .atTurnEnd: loop.atTurnEnd(owner)
        case .whenIdle: loop.whenIdle(owner)
        case nil: break
        }
    }
}

extension FrameTransport {
    /// TLS holds data or output that the loop can't see: it is handled in the next turn.
    func careForTLS() {
        // Retained until then, as by a registration.
        let owner = owner
        if hasMore { loop.executeLater { owner.ready(read: true, write: false) } }
        if waitsForPeer { scheduleFlush() }
    }
}
