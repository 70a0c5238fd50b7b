import Budgets
import EventLoops

/// What is to be written to a peer: frames, the memory that the budget grants for them, and who waits until there are
/// fewer. It decides; the transport writes.
struct OutputQueue: ~Copyable {
    private var buffer = ByteBuffer()
    /// Bytes from which on nothing is read from the peer.
    private let limit: Int
    private var memory: MemoryAccount?
    /// Bytes that the budget has granted.
    private var paidBytes = 0
    /// Whether the budget has no more.
    private var isShort = false
    /// Streams that wait for room; each is here once, and no longer than it waits.
    private var streams: [ObjectIdentifier: SendWindow] = [:]
    /// Calls that wait for room before they begin.
    private var calls: [Waiter<Void>] = []

    /// Bytes that may be queued without the budget's consent: refusals and signs of life. From a half of that on
    /// nothing is read, and no call begins; beyond it the connection ends, unless the peer takes some of them at once.
    private static let maximumUnpaidBytes = 8 << 10
    /// Memory that an idle connection keeps for its next answers.
    private static let idleBytes = 4096
    private static let burstBytes = 64 << 10

    /// `memory` is nil where nothing is counted.
    init(limit: Int, memory: consuming MemoryAccount?) {
        self.limit = limit
        self.memory = memory
    }

    var count: Int { buffer.count }
    var isEmpty: Bool { buffer.isEmpty }

    /// Whether an answer may be added. Writers of streams wait for this too: a peer may grant more than we are willing
    /// to queue for it. It is far below the limit from which nothing is read any more: a peer with answers in flight
    /// must still be heard when it cancels or answers a ping.
    var hasRoom: Bool { count <= (isShort ? Self.maximumUnpaidBytes / 2 : limit / 4) }

    /// Whether the peer is to take some of it before it is read again.
    var isTooLongToRead: Bool { count > (isShort ? Self.maximumUnpaidBytes / 2 : limit) }
}

// MARK: frames

extension OutputQueue {
    mutating func append(_ header: FrameHeader) { buffer.appendFrame(header) }

    /// `write` writes the payload.
    mutating func append(
        _ header: FrameHeader, payloadBytes: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        unsafe buffer.appendFrame(header, payloadBytes: payloadBytes, write)
    }

    /// The payload is written, or appended, by itself.
    mutating func appendHeader(_ header: FrameHeader, payloadBytes: Int) {
        unsafe buffer.appendRoom(FrameHeader.byteCount) { room in
            unsafe header.write(to: room, payloadBytes: payloadBytes)
        }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { unsafe buffer.append(bytes) }

    func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try unsafe buffer.withBytes(body)
    }

    /// The peer took so many bytes.
    mutating func consume(_ count: Int) { buffer.consume(count) }

    /// Frees most of the memory that a burst needed.
    mutating func shrinkAfterBurst() {
        if isEmpty, buffer.capacity > Self.burstBytes { buffer.shrink(toAtMost: Self.idleBytes) }
    }
}

// MARK: memory

extension OutputQueue {
    /// Whether the budget has this many bytes more, besides those that TLS holds.
    mutating func hasMemory(for bytes: Int, besides held: Int) -> Bool {
        let needed = buffer.capacity(with: bytes) + held
        return needed <= paidBytes || hold(needed)
    }

    /// Whether it uses more memory than was granted.
    var isUnpaid: Bool { buffer.capacity > paidBytes }

    /// Whether it holds more than may be held without the budget's consent.
    var isOverdrawn: Bool { isShort && count > paidBytes + Self.maximumUnpaidBytes }

    /// Reports to the budget what it uses, besides what TLS holds.
    mutating func pay(besides held: Int) { isShort = !hold(buffer.capacity + held) }

    /// Frees what is kept for the next burst. To be called when it is empty.
    mutating func settle() {
        buffer.shrink(toAtMost: Self.idleBytes)
        paidBytes = buffer.capacity
        memory?.settle(at: buffer.capacity)
    }

    private mutating func hold(_ bytes: Int) -> Bool {
        guard memory?.hold(bytes) ?? true else { return false }
        paidBytes = bytes
        return true
    }
}

// MARK: who waits for room

extension OutputQueue {
    mutating func addWaiting(_ stream: SendWindow) { streams[ObjectIdentifier(stream)] = stream }

    mutating func forget(_ stream: SendWindow) { streams[ObjectIdentifier(stream)] = nil }

    mutating func addWaiting(_ call: Waiter<Void>) { calls.append(call) }

    var isAwaited: Bool { !streams.isEmpty || !calls.isEmpty }

    /// The streams to wake.
    mutating func takeStreams() -> some Sequence<SendWindow> {
        defer { streams = [:] }
        return streams.values
    }

    /// The calls to resume.
    mutating func takeCalls() -> [Waiter<Void>] {
        defer { calls = [] }
        return calls
    }
}
