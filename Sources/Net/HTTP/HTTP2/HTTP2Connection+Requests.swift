import Budgets
import CNghttp2
import EventLoops

// MARK: frames

extension HTTP2Connection {
    /// Responders' tasks that may run for one connection: more than its streams, since one that was reset may take a
    /// while to end.
    private static let workingLimit = 2 * Int(HTTP2Settings.streams)

    /// Each frame that brings nothing is paid for.
    func frameBegins(_ head: nghttp2_frame_hd) {
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue: return
        case NGHTTP2_DATA.rawValue where head.length > 0 || head.isEnd: return
        default: if !budget.pay(at: loop.now) { calm("too_many_pings") }
        }
    }

    /// What we send shows what the peer needs to send, and what it made us do: a stream that was reset by us may have
    /// been made for that.
    func frameSent(_ head: nghttp2_frame_hd) {
        switch UInt32(head.type) {
        case NGHTTP2_DATA.rawValue, NGHTTP2_HEADERS.rawValue:
            let stream = streams[head.stream_id]
            // What is refused earns nothing.
            let isRefused = if case .refused = stream?.state { true } else { false }
            if !isRefused {
                budget.sent(data: head.type == NGHTTP2_DATA.rawValue ? head.length : 0, isLast: head.isEnd)
            }
            if head.isEnd { hasAnswered(head.stream_id) }
        case NGHTTP2_RST_STREAM.rawValue: if !budget.pay(at: loop.now) { calm("too many resets") }
        default: break
        }
    }

    /// The whole answer was sent. What its client still sends is not wanted (RFC 9113, 8.1).
    func hasAnswered(_ id: Int32) {
        if isAmidRead { return answeredEarly.append(id) }
        guard let session = unsafe session, unsafe nghttp2_session_get_stream_remote_close(session, id) == 0 else {
            return
        }
        reset(id, NGHTTP2_NO_ERROR)
    }

    func reset(_ id: Int32, _ code: nghttp2_error_code) {
        guard let session = unsafe session else { return }
        _ = unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, code.rawValue)
    }
}

// MARK: a request, as it arrives

extension HTTP2Connection {
    /// A head begins. False resets the stream.
    func begins(_ id: Int32) -> Bool {
        guard !isDraining, working < Self.workingLimit else {
            reset(id, NGHTTP2_REFUSED_STREAM)
            return true
        }
        isNew = false
        let stream = HTTP2Stream(id, at: loop.now)
        streams[id] = stream
        bound(stream, until: daemon.deadline(for: 0))
        return true
    }

    /// The next field of a head, or of what follows a body, which says nothing to us. False resets the stream.
    func field(_ id: Int32, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let stream = streams[id], case .head = stream.state else { return true }
        return unsafe stream.head.add(name, value, longest: server.limits.headBytes)
    }

    /// A head has ended, or what follows a body.
    func headEnds(_ id: Int32, isEnd: Bool) {
        guard let stream = streams[id], case .head = stream.state else {
            if isEnd { bodyEnds(id) }
            return
        }
        var head = stream.head
        stream.head = HTTP2Head()
        head.end(known: &knownHost)
        stream.start = loop.now
        stream.declared = head.length
        let arrived = server.arrived(
            head.line, .http2, query: head.query, headers: head.headers, length: head.length, from: client.peer,
            client.client, host: knownHost.authority)
        stream.arrived = arrived
        stream.state = .receiving
        if let refusal = head.refusal ?? arrived.refusal { return refuse(stream, refusal) }
        if arrived.work.takesParts {
            // The stream may last as long as it likes, as long as its connection is alive.
            stream.deadline = nil
            stream.arrived?.request.parts = reader(of: id)
            respond(stream)
        }
        if isEnd { return bodyEnds(id) }
        if case .receiving = stream.state, arrived.request.headers["expect"] != nil { goOn(sending: id) }
    }

    /// Asks for a body that its client holds back until it is wanted (RFC 9110, 10.1.1).
    private func goOn(sending id: Int32) {
        guard let session = unsafe session else { return }
        var fields = FieldBlock()
        fields.add(":status", "100")
        _ = unsafe fields.withUnsafeFields { pointer, count in
            unsafe nghttp2_submit_headers(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, nil, pointer, count, nil)
        }
    }

    /// A part of a body.
    func received(_ id: Int32, _ bytes: UnsafeRawBufferPointer) {
        guard let session = unsafe session else { return }
        guard let stream = streams[id], let limit = stream.arrived?.bodyLimit, takes(stream) else {
            _ = unsafe nghttp2_session_consume(session, id, bytes.count)
            return
        }
        if stream.arrived?.request.parts != nil {
            guard stream.memory?.hold(body: stream.incoming.byteCount + bytes.count) ?? false else {
                _ = unsafe nghttp2_session_consume(session, id, bytes.count)
                return reset(id, NGHTTP2_ENHANCE_YOUR_CALM)
            }
            return unsafe stream.incoming.append(bytes)
        }
        _ = unsafe nghttp2_session_consume(session, id, bytes.count)
        let count = (stream.arrived?.request.body.count ?? 0) + bytes.count
        guard count <= limit.bytes else { return refuse(stream, limit.refusal) }
        let room = room(for: count, of: stream)
        guard stream.memory?.hold(body: room) ?? false else { return refuse(stream, .tooMuch) }
        stream.arrived?.request.body.reserveCapacity(room)
        unsafe stream.arrived?.request.body.append(contentsOf: bytes)
        bound(stream, until: daemon.deadline(for: count, from: stream.start))
    }

    /// A body has ended.
    func bodyEnds(_ id: Int32) {
        guard let stream = streams[id] else { return }
        if stream.arrived?.request.parts != nil { return stream.incoming.end() }
        if case .receiving = stream.state { respond(stream) }
    }

    private func takes(_ stream: HTTP2Stream) -> Bool {
        switch stream.state {
        case .head, .refused: false
        case .receiving: true
        case .responding, .answering, .streaming: stream.arrived?.request.parts != nil
        }
    }

    /// A quarter more than has come, so that it is rarely moved, but not more than it is going to have.
    private func room(for count: Int, of stream: HTTP2Stream) -> Int {
        let room = stream.arrived?.request.body.capacity ?? 0
        let longest = stream.declared > 0 ? stream.declared : stream.arrived?.bodyLimit.bytes ?? 0
        return count <= room ? room : max(count, min(longest, count + count / 4))
    }

    /// The stream is over: answered, reset, or its connection has ended.
    func closed(_ id: Int32) {
        guard let stream = streams.removeValue(forKey: id) else { return }
        ended(stream)
        if streams.isEmpty { idleSince = loop.now }
        if streams.isEmpty, daemon.onLoop({ $0.isDraining }) { flushSoon() }
    }

    func ended(_ stream: HTTP2Stream) {
        stream.cancel()
        if let limit = stream.limit { loop.cancelTimer(limit) }
        stream.limit = nil
        // What was not read counts against the window of all streams.
        if let session = unsafe session, stream.incoming.byteCount > 0 {
            _ = unsafe nghttp2_session_consume_connection(session, stream.incoming.byteCount)
        }
        stream.incoming.fail()
        if case .bytes(var queue) = stream.outgoing {
            queue.fail()
            stream.outgoing = .bytes(queue)
        }
        stream.resumeWriters()
        stream.arrived = nil
    }
}

// MARK: bodies that are read as they come

extension HTTP2Connection {
    private nonisolated func reader(of id: Int32) -> HTTPBodyReader {
        HTTPBodyReader { [self] in try await part(of: id) }
    }

    private func part(of id: Int32) async throws -> [UInt8]? {
        while let stream = streams[id] {
            switch stream.incoming.read() {
            case .part(let bytes):
                _ = stream.memory?.hold(body: 0)
                if let session = unsafe session { _ = unsafe nghttp2_session_consume(session, id, bytes.count) }
                flushSoon()
                return bytes
            case .end: return nil
            case .failure: throw CancellationError()
            case .nothingYet:
                try Task.checkCancellation()
                await suspend(stream)
            }
        }
        throw CancellationError()
    }

    private func suspend(_ stream: HTTP2Stream) async {
        let id = stream.id
        await withTaskCancellationHandler {
            await Waiter<Void>.suspend { stream.incoming.reader = $0 }
        } onCancel: { [self] in
            loop.executeLater { self.onLoop { $0.streams[id]?.incoming.wake() } }
        }
    }
}

extension nghttp2_frame_hd {
    /// Whether nothing follows it on its stream.
    var isEnd: Bool { flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 }
}
