import EventLoops

/// One request and its answer on a connection of HTTP/2. Stays on one loop, in its connection's table.
final class HTTP2Stream {
    enum State {
        /// Its head is arriving.
        case head
        /// Its body is arriving, to be answered when it is whole.
        case receiving
        /// Its body is discarded; it was answered.
        case refused
        /// The responder is working on it; its body may still be arriving.
        case responding(Task<Void, Never>)
        /// The answer is being sent.
        case answering
        /// The answer is written while it is sent.
        case streaming(Task<Void, Never>)
    }

    let id: Int32
    var head = HTTP2Head()
    var state = State.head
    var arrived: ArrivedRequest?
    /// When its head had arrived.
    var start: MonotonicTime
    /// Until when it has to move on; nil: no limit.
    var deadline: MonotonicTime?
    /// Stops an answer that takes too long.
    var limit: TimerToken?
    /// Bytes that the body is going to have, where its head says so.
    var declared = 0
    var incoming = IncomingParts()
    var outgoing = OutgoingBody.bytes(BodyQueue())
    var trailers: HTTPFields?
    /// Whether libnghttp2 waits for bytes of the answer.
    var isWaitingForBytes = false
    /// Writers that wait for room in the queue.
    var writers: [Waiter<Void>] = []

    init(_ id: Int32, at start: MonotonicTime) {
        self.id = id
        self.start = start
    }

    var memory: RequestMemory? { arrived?.request.memory }

    /// Whether it is still being worked for, or its answer is on its way.
    var isBusy: Bool {
        switch state {
        case .head, .receiving, .refused: false
        case .responding, .answering, .streaming: true
        }
    }

    /// Cancels the work on it.
    func cancel() {
        switch state {
        case .responding(let task), .streaming(let task): task.cancel()
        case .head, .receiving, .refused, .answering: break
        }
    }

    func resumeWriters() {
        let waiting = writers
        writers = []
        for writer in waiting { writer.resume() }
    }
}

/// What is sent as the body of an answer.
enum OutgoingBody {
    case bytes(BodyQueue)
    /// A part of a file that is left.
    case file(any ServedFile, offset: Int, count: Int)
}

/// Parts of a body that were not read yet. Their size is bounded by the stream's window.
struct IncomingParts {
    enum Next {
        case part([UInt8])
        case nothingYet
        case end
        case failure
    }

    /// In one piece: parts may be of one byte each.
    private var bytes: [UInt8] = []
    var byteCount: Int { bytes.count }
    private var isEnded = false
    private var isFailed = false
    var reader: Waiter<Void>?

    mutating func append(_ part: UnsafeRawBufferPointer) {
        unsafe bytes.append(contentsOf: part)
        wake()
    }

    mutating func end() {
        isEnded = true
        wake()
    }

    mutating func fail() {
        isFailed = true
        bytes = []
        wake()
    }

    /// All that has come.
    mutating func read() -> Next {
        if isFailed { return .failure }
        guard !bytes.isEmpty else { return isEnded ? .end : .nothingYet }
        defer { bytes = [] }
        return .part(bytes)
    }

    mutating func wake() { reader.take()?.resume() }
}
