import Budgets
import CNghttp2
import EventLoops
import Glibc

/// How a connection goes on that begins as HTTP/2 does.
struct HTTP2Opening {
    /// A copy of the descriptor that libmicrohttpd closes.
    let descriptor: Int32
    /// What was read of it.
    let bytes: [UInt8]
}

/// One connection of HTTP/2. libnghttp2 keeps its frames, header tables and windows; what a request may cost and what
/// answers it is decided as in HTTP/1.1, by the server and its responder.
@safe
actor HTTP2Connection: LoopActor {
    nonisolated let loop: EventLoop
    nonisolated let id: UInt64
    let daemon: HTTPDaemon
    let client: HTTPConnection
    private var socket: Socket?
    private var registration: Registration?
    private(set) var session: OpaquePointer?
    var streams: [Int32: HTTP2Stream] = [:]
    var budget: FrameBudget
    /// Tasks of responders that have not ended, those of streams that were reset among them.
    var working = 0
    var knownHost = KnownHost()
    private var output: [UInt8] = []
    private var wantsRoom = false
    private var willFlush = false
    private var isReading = false
    /// Whether more was read than libnghttp2 has seen: the end of a request may be there.
    private(set) var isAmidRead = false
    /// Streams that were answered meanwhile, before their end was seen.
    var answeredEarly: [Int32] = []
    /// When bytes last came or went, and when some last went.
    private var lastMove: MonotonicTime
    private var lastSent: MonotonicTime
    /// Since when there is no request.
    var idleSince: MonotonicTime
    /// Whether there has been none at all.
    var isNew = true
    /// Whether the peer has done too much: nothing of it is read any more.
    private var isCalmed = false
    private var timer: (token: TimerToken, due: MonotonicTime)?
    private(set) var isDraining = false

    /// Bytes that are encoded before they are written.
    private static let outputBytes = 64 << 10
    /// How many times the patience for a request a connection may idle behind one: clients of gRPC keep theirs.
    private static let idlePatience: UInt64 = 5
    /// Bytes that are read before answers to them are sent: some five calls. A long body comes in few pieces.
    private static let (pieceBytes, maximumPieces) = (512, 4)
    /// Bytes that are written before others have their turn.
    private static let turnBytes = 1 << 20
    /// Frames that wait to be sent, besides bodies: no client needs so many, and a peer can make them cheaply.
    private static let waitingFrames = 1_000

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(_ client: HTTPConnection, of daemon: HTTPDaemon, id: UInt64) {
        self.client = client
        self.daemon = daemon
        self.id = id
        loop = daemon.loop
        lastMove = daemon.loop.now
        lastSent = lastMove
        idleSince = lastMove
        budget = FrameBudget(at: daemon.loop.now)
    }

    nonisolated var server: HTTPServer { daemon.server }

    /// Begins with the bytes that have come; the connection ends at once when it can't.
    func start(_ opening: consuming HTTP2Opening, isDraining: Bool) {
        let socket = Socket(owning: opening.descriptor)
        let descriptor = socket.descriptor
        self.socket = consume socket
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard client.holds(Self.outputBytes / 4), let session = unsafe HTTP2Callbacks.newSession(owner) else {
            return close()
        }
        unsafe self.session = session
        registration = try? loop.register(descriptor, self)
        guard registration != nil else { return close() }
        unsafe HTTP2Settings.submit(session, server.limits)
        if isDraining { drain() }
        unsafe opening.bytes.withUnsafeBytes { unsafe take($0) }
        checkTime()
    }

    /// Ends the connection at once.
    func close() {
        guard socket != nil else { return }
        if let registration, let descriptor = socket?.descriptor { loop.deregister(descriptor, registration) }
        registration = nil
        if let timer { loop.cancelTimer(timer.token) }
        timer = nil
        socket = nil
        for stream in streams.values { ended(stream) }
        streams = [:]
        if let session = unsafe session { unsafe nghttp2_session_del(session) }
        unsafe session = nil
        output = []
        daemon.onLoop { $0.ended(self) }
    }

    /// Lets requests that are being answered end; new ones are refused. Streams without an end are ended.
    func drain() {
        guard let session = unsafe session, !isDraining else { return }
        isDraining = true
        // A client sends again elsewhere what comes behind the last stream that is named.
        unsafe nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(session),
            NGHTTP2_NO_ERROR.rawValue, nil, 0)
        for stream in streams.values {
            switch stream.state {
            // Its client may ask elsewhere.
            case .head, .receiving: reset(stream.id, NGHTTP2_REFUSED_STREAM)
            case .refused: reset(stream.id, NGHTTP2_NO_ERROR)
            case .responding(let task): if stream.arrived?.request.parts != nil { task.cancel() }
            case .streaming(let task): task.cancel()
            case .answering: break
            }
        }
        flushSoon()
    }

    /// The peer does what no client needs to do: the connection ends, with the reason.
    func calm(_ reason: StaticString) {
        guard let session = unsafe session else { return }
        (isDraining, isCalmed) = (true, true)
        _ = unsafe nghttp2_submit_goaway(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(session),
            NGHTTP2_ENHANCE_YOUR_CALM.rawValue, reason.utf8Start, reason.utf8CodeUnitCount)
        _ = unsafe nghttp2_session_terminate_session(session, NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
    }
}

// MARK: bytes

extension HTTP2Connection: IOHandler, TurnEndObserver {
    nonisolated func ready(read: Bool, write: Bool) {
        onLoop { connection in
            if write { connection.flush() }
            if read { connection.read() }
        }
    }

    nonisolated func turnEnded() { onLoop { $0.flush() } }

    nonisolated func write() { onLoop { $0.flush() } }

    private func read() {
        let room = unsafe loop.scratch
        do {
            guard let count = try unsafe socket?.read(into: room) ?? nil else { return }
            if count == 0 { return close() }
            lastMove = loop.now
            unsafe take(UnsafeRawBufferPointer(rebasing: room[..<count]))
        } catch {
            close()
        }
    }

    /// Reads in pieces, and sends what they are answered with: a client that waits for some answers goes on with the
    /// next requests while the rest is read.
    private func take(_ bytes: UnsafeRawBufferPointer) {
        let step = max(Self.pieceBytes, (bytes.count + Self.maximumPieces - 1) / Self.maximumPieces)
        var (start, left) = (0, Self.turnBytes)
        while start < bytes.count, unsafe session != nil, !isCalmed {
            let end = min(bytes.count, start + step)
            unsafe take(piece: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
            isAmidRead = start < bytes.count
            if willFlush, isAmidRead { flush(&left) }
        }
        isAmidRead = false
        for id in answeredEarly { hasAnswered(id) }
        answeredEarly = []
        flush(&left)
    }

    private func take(piece bytes: UnsafeRawBufferPointer) {
        guard let session = unsafe session else { return }
        isReading = true
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = unsafe nghttp2_session_mem_recv(session, start, bytes.count)
        isReading = false
        guard count < 0 else { return }
        // What is no frame, or none that libnghttp2 bears.
        calm("what came can't be read")
        flush()
        close()
    }

    /// Writes at the end of this turn.
    func flushSoon() {
        guard !willFlush, unsafe session != nil else { return }
        willFlush = true
        if !isReading { loop.atTurnEnd(self) }
    }

    /// Encodes what there is to send, as far as the peer takes it.
    private func flush() {
        var left = Self.turnBytes
        flush(&left)
    }

    /// - Parameter left: bytes that may still be written in this turn.
    private func flush(_ left: inout Int) {
        willFlush = false
        guard !isReading else { return }
        do {
            repeat {
                // What libnghttp2 can't go on with would be there again in each turn.
                guard encode() else { return close() }
                if output.isEmpty { break }
                left -= output.count
            } while try send() && left > 0
        } catch {
            return close()
        }
        guard let session = unsafe session else { return }
        if isCalmed { return finish() }
        guard unsafe nghttp2_session_get_outbound_queue_size(session) <= Self.waitingFrames else { return close() }
        if output.isEmpty, unsafe nghttp2_session_want_write(session) != 0 {
            loop.executeLater { self.onLoop { $0.flushSoon() } }
        }
        let hasEnded = unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
        if output.isEmpty, hasEnded || isDraining && streams.isEmpty { return finish() }
        guard client.holds(Self.outputBytes / 4 + output.count) else { return close() }
        watch(write: !output.isEmpty)
    }

    /// False when libnghttp2 can't go on.
    private func encode() -> Bool {
        guard let session = unsafe session else { return true }
        while output.count < Self.outputBytes {
            var bytes: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &bytes)
            guard count > 0, let bytes = unsafe bytes else { return count >= 0 }
            unsafe output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
        return true
    }

    /// Writes what is encoded; false when the peer has no room for all of it.
    private func send() throws(SystemError) -> Bool {
        var sent = 0
        while sent < output.count {
            guard let count = try write(from: sent) else { break }
            sent += count
        }
        if sent > 0 { (lastMove, lastSent) = (loop.now, loop.now) }
        if sent == output.count {
            output.removeAll(keepingCapacity: true)
            return true
        }
        output.removeFirst(sent)
        if !wantsRoom { lastSent = loop.now }
        return false
    }

    private func write(from start: Int) throws(SystemError) -> Int? {
        try unsafe output.withUnsafeBytes { bytes in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
            return Result { () throws(SystemError) in try unsafe socket?.write(rest) ?? nil }
        }.get()
    }

    private func watch(write: Bool) {
        guard wantsRoom != write, let registration, let descriptor = socket?.descriptor else { return }
        wantsRoom = write
        try? loop.watch(descriptor, registration, read: true, write: write)
    }

    /// All is sent. What is still in flight is read and dropped: the reset that it would cause could discard the last
    /// answer.
    private func finish() {
        socket?.shutDownWriting()
        for _ in 0..<16 {
            guard let count = try? unsafe socket?.read(into: loop.scratch) ?? nil, count > 0 else { break }
        }
        close()
    }
}

// MARK: time

extension HTTP2Connection: TimerOwner {
    /// The tag of the connection's own timer; those of streams are their numbers.
    private static let ownTag: UInt32 = 0

    nonisolated func timerFired(_ tag: UInt32) {
        onLoop { connection in
            if tag == Self.ownTag {
                connection.timer = nil
                connection.checkTime()
            } else {
                // The answer's time is over: its task reports that itself.
                connection.streams[Int32(bitPattern: tag)]?.cancel()
            }
        }
    }

    /// A stream has to move on until then; the timer is moved only when it would fire too late.
    func bound(_ stream: HTTP2Stream, until deadline: MonotonicTime?) {
        stream.deadline = deadline
        guard let deadline, let timer, deadline < timer.due else { return }
        loop.cancelTimer(timer.token)
        self.timer = (loop.setTimer(deadline, owner: self, tag: Self.ownTag), deadline)
    }

    /// Ends what has taken too long, and comes again when the next may have.
    private func checkTime() {
        guard unsafe session != nil else { return }
        let now = loop.now
        let patience = daemon.patience
        // What it sends meanwhile does not count.
        if !output.isEmpty, now.nanoseconds(since: lastSent) >= patience { return close() }
        let idlePatience = isNew ? patience : patience * Self.idlePatience
        if streams.isEmpty, now.nanoseconds(since: idleSince) >= idlePatience { return end() }
        let quiet = now.nanoseconds(since: lastMove)
        if quiet >= patience * Self.idlePatience { return end() }
        // Streams may rest for hours, but their client answers.
        if quiet >= patience, !streams.isEmpty, let session = unsafe session {
            _ = unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
        }
        var next = now.advanced(byNanoseconds: patience)
        for stream in streams.values {
            guard let deadline = stream.deadline else { continue }
            if deadline <= now { reset(stream.id, NGHTTP2_CANCEL) } else { next = min(next, deadline) }
        }
        flushSoon()
        timer = (loop.setTimer(next, owner: self, tag: Self.ownTag), next)
    }

    private func end() {
        guard output.isEmpty, let session = unsafe session else { return close() }
        isDraining = true
        _ = unsafe nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue)
        let due = loop.now.advanced(byNanoseconds: daemon.patience)
        timer = (loop.setTimer(due, owner: self, tag: Self.ownTag), due)
        flush()
    }
}
