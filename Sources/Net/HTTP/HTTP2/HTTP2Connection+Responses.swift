import Budgets
import CNghttp2
import EventLoops
import Glibc

// MARK: answers out

extension HTTP2Connection {
    /// Answers at once, and discards what still comes of the body.
    func refuse(_ stream: HTTP2Stream, _ refusal: HTTPRefusal) {
        guard let arrived = stream.arrived else { return }
        var response = arrived.work.refuse(arrived.request, refusal)
        if refusal == .tooMuch { response.headers.add("Retry-After", "1") }
        stream.arrived?.request.body = []
        _ = arrived.request.memory.hold(body: 0)
        stream.cancel()
        stream.incoming.fail()
        hand(response, stream)
        if case .answering = stream.state { stream.state = .refused }
    }

    /// Runs the responder. If it never suspends, it has answered when this returns.
    func respond(_ stream: HTTP2Stream) {
        guard let arrived = stream.arrived else { return }
        if !arrived.work.takesParts { stream.deadline = nil }
        stream.arrived?.request.body = []
        working += 1
        let task = answer(stream.id, arrived.request, arrived.work)
        guard case .receiving = stream.state else { return }
        stream.state = .responding(task)
        guard let limit = arrived.work.timeLimit else { return }
        stream.limit = loop.setTimer(.now + limit, owner: self, tag: UInt32(bitPattern: stream.id))
    }

    /// Begins at once, and never leaves the loop, as in HTTP/1.1.
    private nonisolated func answer(
        _ id: Int32, _ request: HTTPRequest, _ work: any HTTPWork
    ) -> Task<Void, Never> {
        Task.immediate(executorPreference: loop) {
            await Sharer.$current.withValue(request.memory.sharer) {
                answered(id, await work.respond(to: request))
            }
        }
    }

    private nonisolated func answered(_ id: Int32, _ response: HTTPResponse) { onLoop { $0.responded(id, response) } }

    private func responded(_ id: Int32, _ response: HTTPResponse) {
        working -= 1
        guard let stream = streams[id] else { return }
        switch stream.state {
        case .receiving, .responding: break
        case .head, .refused, .answering, .streaming: return
        }
        if let limit = stream.limit { loop.cancelTimer(limit) }
        stream.limit = nil
        hand(held(response, by: stream), stream)
        flushSoon()
    }

    /// The answer, or another one when there is no memory to hold it until it is read.
    private func held(_ response: HTTPResponse, by stream: HTTP2Stream) -> HTTPResponse {
        guard let arrived = stream.arrived else { return response }
        if case .stream = response.body { return response }
        arrived.request.memory.forgetBody()
        guard case .bytes(let bytes) = response.body, !arrived.request.memory.hold(answer: bytes.count) else {
            return response
        }
        return full(arrived)
    }

    private func full(_ arrived: ArrivedRequest) -> HTTPResponse {
        var refusal = arrived.work.refuse(arrived.request, .tooMuch)
        refusal.headers.add("Retry-After", "1")
        return refusal
    }

    /// Passes the answer to libnghttp2.
    private func hand(_ response: HTTPResponse, _ stream: HTTP2Stream) {
        let isHead = stream.arrived?.request.method == "HEAD"
        stream.trailers = response.trailers
        switch response.body {
        case .bytes(let bytes):
            stream.state = .answering
            var queue = BodyQueue()
            if !isHead { queue.append(bytes[...]) }
            queue.end()
            stream.outgoing = .bytes(queue)
            bound(stream, until: daemon.deadline(for: bytes.count))
            submit(response, stream, count: bytes.count, isEmpty: (isHead || bytes.isEmpty) && response.trailers == nil)
        case .file(let file, let offset, let count):
            stream.state = .answering
            stream.outgoing = .file(file, offset: offset, count: isHead ? 0 : count)
            bound(stream, until: daemon.deadline(for: count))
            submit(response, stream, count: count, isEmpty: isHead || count == 0)
        case .stream(let count, let write):
            stream.state = .answering
            submit(response, stream, count: count, isEmpty: isHead)
            if !isHead { begin(stream, write) }
        }
    }

    private func submit(_ response: HTTPResponse, _ stream: HTTP2Stream, count: Int?, isEmpty: Bool) {
        guard let session = unsafe session else { return }
        var fields = FieldBlock()
        fields.add(":status", "\(response.status)")
        for header in response.headers.all { fields.add(header.name, header.value) }
        // gRPC's answers end with fields, and not at a length.
        if let count, response.trailers == nil, response.status != 304, response.status != 204 {
            fields.add("content-length", "\(count)")
        }
        let result = unsafe fields.withUnsafeFields { pointer, fieldCount -> Int32 in
            guard !isEmpty else { return unsafe nghttp2_submit_response(session, stream.id, pointer, fieldCount, nil) }
            var provider = unsafe nghttp2_data_provider(
                source: nghttp2_data_source(), read_callback: HTTP2Callbacks.read)
            return unsafe nghttp2_submit_response(session, stream.id, pointer, fieldCount, &provider)
        }
        if result != 0 { reset(stream.id, NGHTTP2_INTERNAL_ERROR) }
    }

    /// Starts the writer of a streamed body.
    private func begin(_ stream: HTTP2Stream, _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void) {
        let writer = HTTPBodyWriter(sink: self, exchange: UInt64(stream.id))
        working += 1
        let task = run(stream.id, writer, stream.memory?.sharer ?? .process, write)
        guard case .answering = stream.state, streams[stream.id] != nil else { return }
        stream.state = .streaming(task)
        if isDraining { task.cancel() }
    }

    /// Begins at once, so that what is available already is sent with the head.
    private nonisolated func run(
        _ id: Int32, _ writer: HTTPBodyWriter, _ sharer: Sharer,
        _ write: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> Task<Void, Never> {
        Task.immediate(executorPreference: loop) {
            do {
                try await Sharer.$current.withValue(sharer) { try await write(writer) }
                await self.written(id, isWhole: true)
            } catch {
                await self.written(id, isWhole: false)
            }
        }
    }

    private func written(_ id: Int32, isWhole: Bool) {
        working -= 1
        guard let stream = streams[id] else { return }
        if isWhole { change(stream) { $0.end() } } else { reset(id, NGHTTP2_INTERNAL_ERROR) }
        goOn(stream)
    }
}

// MARK: streamed bodies

extension HTTP2Connection: HTTPBodySink {
    /// Takes the writer's bytes; it waits when many are queued already.
    func write(_ bytes: ArraySlice<UInt8>, _ exchange: UInt64) async throws {
        while let stream = streams[Int32(exchange)], stream.queued >= server.limits.streamBytes {
            try Task.checkCancellation()
            await Waiter<Void>.suspend { stream.writers.append($0) }
        }
        try Task.checkCancellation()
        try append(bytes, exchange)
    }

    /// Takes the writer's last bytes: few, and also from a task that was cancelled.
    func finish(_ bytes: [UInt8], _ trailers: HTTPFields?, _ exchange: UInt64) throws {
        if let trailers { streams[Int32(exchange)]?.trailers = trailers }
        try append(bytes[...], exchange)
    }

    private func append(_ bytes: ArraySlice<UInt8>, _ exchange: UInt64) throws {
        guard let stream = streams[Int32(exchange)], let memory = stream.memory, !stream.hasFailed else {
            throw CancellationError()
        }
        if bytes.isEmpty { return }
        guard memory.hold(answer: stream.held + bytes.count) else { throw CancellationError() }
        if stream.queued == 0 { bound(stream, until: daemon.deadline(for: 0)) }
        change(stream) { $0.append(bytes) }
        goOn(stream)
    }

    private func change(_ stream: HTTP2Stream, _ body: (inout BodyQueue) -> Void) {
        guard case .bytes(var queue) = stream.outgoing else { return }
        stream.outgoing = .bytes(BodyQueue())
        body(&queue)
        stream.outgoing = .bytes(queue)
    }

    /// Lets libnghttp2 ask again, if it is waiting.
    private func goOn(_ stream: HTTP2Stream) {
        if stream.isWaitingForBytes, let session = unsafe session {
            stream.isWaitingForBytes = false
            _ = unsafe nghttp2_session_resume_data(session, stream.id)
        }
        flushSoon()
    }
}

// MARK: what libnghttp2 asks for

extension HTTP2Connection {
    private static let end = UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
    private static let endOfBody = end | UInt32(NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue)

    /// Moves the next bytes of an answer; returns how many, or an error, and flags to be set.
    func readAnswer(_ id: Int32, into room: UnsafeMutableRawBufferPointer) -> (Int, UInt32) {
        guard let stream = streams[id] else { return (Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue), 0) }
        switch stream.outgoing {
        case .file(let file, let offset, let count):
            let read = unsafe pread(file.descriptor, room.baseAddress, min(room.count, count), off_t(offset))
            guard read > 0 || count == 0 else { return (Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue), 0) }
            stream.outgoing = .file(file, offset: offset + read, count: count - read)
            return (read, read == count ? ended(answerOf: stream) : 0)
        case .bytes(var queue):
            stream.outgoing = .bytes(BodyQueue())
            let next = unsafe queue.read(into: room)
            let isLast = queue.isOver
            stream.outgoing = .bytes(queue)
            return read(next, isLast: isLast, of: stream)
        }
    }

    private func read(_ next: BodyQueue.Next, isLast: Bool, of stream: HTTP2Stream) -> (Int, UInt32) {
        switch next {
        case .bytes(let count):
            _ = stream.memory?.hold(answer: stream.held)
            if case .streaming = stream.state { bound(stream, until: daemon.deadline(for: 0)) }
            if stream.queued < server.limits.streamBytes { stream.resumeWriters() }
            return (count, isLast ? ended(answerOf: stream) : 0)
        case .nothingYet:
            stream.isWaitingForBytes = true
            stream.deadline = nil
            return (Int(NGHTTP2_ERR_DEFERRED.rawValue), 0)
        case .end: return (0, ended(answerOf: stream))
        case .failure: return (Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue), 0)
        }
    }

    /// The flags of the last bytes; what follows the body is passed on.
    private func ended(answerOf stream: HTTP2Stream) -> UInt32 {
        guard let trailers = stream.trailers, let session = unsafe session else { return Self.end }
        var fields = FieldBlock()
        for field in trailers.all { fields.add(field.name, field.value) }
        let result = unsafe fields.withUnsafeFields { unsafe nghttp2_submit_trailer(session, stream.id, $0, $1) }
        return result == 0 ? Self.endOfBody : Self.end
    }
}

extension HTTP2Stream {
    /// Bytes that wait for the peer.
    var queued: Int { if case .bytes(let queue) = outgoing { queue.count } else { 0 } }
    var held: Int { if case .bytes(let queue) = outgoing { queue.heldBytes } else { 0 } }
    var hasFailed: Bool { if case .bytes(let queue) = outgoing { queue.isFailed } else { true } }
}
