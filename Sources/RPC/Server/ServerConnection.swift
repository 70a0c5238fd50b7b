import EventLoops
import Wire

/// One client of a server. Lives on one loop for life, and its handlers run there.
package actor ServerConnection {
    /// What is kept with an open call.
    struct OpenCall {
        let task: Task<Void, Never>
        let context: CallContext
        let timer: TimerToken?
        /// Bytes that the reader still takes; below zero after the last message it took.
        var credit: Int64
        /// The writer that waits for room.
        var waiter: Waiter<Void>?
    }

    nonisolated let loop: EventLoop
    private let server: Server
    private let limits: Limits
    private var state: ServerConnectionState<OpenCall>
    private var transport: FrameTransport?
    private var idleTimer: TimerToken?
    /// Streams that wait until less is queued for the peer.
    private var waitingForRoom: [UInt32] = []
    private var lastActivity: MonotonicTime

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, server: Server) {
        self.loop = loop
        self.server = server
        limits = server.limits
        state = ServerConnectionState(maximumCalls: server.limits.callsPerConnection)
        lastActivity = .now
    }

    /// Takes the socket over and says hello.
    func start(_ socket: consuming Socket) {
        // The server may have begun to stop since it accepted the socket.
        guard !state.isDone else { return server.closed(self, nil) }
        let transport = FrameTransport(socket, loop: loop, limits: limits, owner: self)
        self.transport = transport
        do {
            try transport.start()
        } catch {
            return transport.closeNow("\(error)")
        }
        transport.send(FrameHeader(.hello), server.hello)
        scheduleIdleCheck()
    }

    /// Says goaway; the connection ends with its last call.
    func drain() {
        guard state.drain() else { return }
        transport?.send(FrameHeader(.goAway), GoAway(lastCallId: state.lastCallID, reason: "shutting down"))
        closeIfDone()
    }

    /// Cancels what runs and closes.
    func abort() {
        transport?.close(after: "shutting down")
        for call in state.close() { end(call, "the server is shutting down") }
    }

    /// Tells the peer what it did wrong, cancels what runs and closes.
    private func fail(_ reason: String) {
        transport?.send(FrameHeader(.goAway), GoAway(lastCallId: state.lastCallID, reason: reason))
        transport?.close(after: reason)
        for call in state.close() { end(call, "the caller broke the protocol") }
    }

    private var tooLong: RPCError {
        let limit = transport?.peerLimit ?? 0
        return RPCError(.resourceExhausted, "the answer is longer than the \(limit) bytes that the caller accepts")
    }

    private func closeIfDone() {
        if state.isDone { transport?.close(after: nil) }
    }

    /// Ends a call that nobody waits for any more.
    private func end(_ call: OpenCall, _ reason: String) {
        if let timer = call.timer { loop.cancelTimer(timer) }
        stop(call)
        server.finished(call.context, RPCError(.cancelled, reason))
    }

    private func stop(_ call: OpenCall) {
        call.task.cancel()
        call.waiter?.resume()
    }
}

// MARK: frames in

extension ServerConnection: FrameTransport.Owner, IOHandler, TurnEndObserver, TimerOwner {
    package nonisolated func ready(read: Bool, write: Bool) {
        assumeIsolated { connection in
            if write { connection.flush() }
            if read { connection.transport?.readFrames() }
        }
    }

    package nonisolated func turnEnded() { assumeIsolated { $0.flush() } }

    private func flush() {
        transport?.flush()
        guard !waitingForRoom.isEmpty, transport?.hasRoom ?? true else { return }
        let streams = waitingForRoom
        waitingForRoom = []
        for id in streams { resumeWriter(id) }
    }

    nonisolated func received(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
        // Nobody else holds the bytes: they are the loop's read buffer, and this is the loop.
        nonisolated(unsafe) let payload = unsafe payload
        assumeIsolated { connection in unsafe connection.act(header, payload) }
    }

    nonisolated func broke(_ reason: String) { assumeIsolated { $0.fail(reason) } }

    nonisolated func closed(_ reason: String?) {
        assumeIsolated { connection in
            for call in connection.state.close() { connection.end(call, "the connection is gone") }
            if let timer = connection.idleTimer { connection.loop.cancelTimer(timer) }
            connection.transport = nil
            connection.server.closed(connection, reason)
        }
    }

    private func act(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
        lastActivity = loop.now
        switch state.received(header) {
        case .hello: unsafe readHello(payload)
        case .start(let id): unsafe start(id, payload)
        case .refuse(let id):
            let limit = limits.callsPerConnection
            refuse(id, RPCError(.resourceExhausted, "\(limit) calls are open on this connection, more are not allowed"))
        case .cancel(let call):
            end(call, "the caller has cancelled")
            closeIfDone()
        case .credit(let id): unsafe addCredit(id, payload)
        case .pong: unsafe transport?.send(FrameHeader(.pong), bytes: payload)
        case .ignore: break
        case .fail(let reason): fail(reason)
        }
    }

    private func readHello(_ payload: UnsafeRawBufferPointer) {
        do {
            let limit = try unsafe Hello(packed: payload).maximumPayloadBytes
            if limit > 0 { transport?.peerLimit = min(limits.frameBytes, Int(limit)) }
        } catch {
            fail("the hello does not decode: \(error.message)")
        }
    }

    private func start(_ id: UInt32, _ payload: UnsafeRawBufferPointer) {
        do throws(RPCError) {
            let call = try RPCError.converting { () throws(WireError) in try unsafe Call(packed: payload) }
            try start(id, call)
        } catch {
            refuse(id, error)
        }
    }

    private func start(_ id: UInt32, _ call: Call) throws(RPCError) {
        guard let entry = server.router.entry(call.method) else {
            throw RPCError(.unimplemented, "there is no method \(call.method.prefix(200))")
        }
        var context = CallContext(
            method: entry.method, deadline: try deadline(call, entry.method),
            requestID: Self.bounded(call.requestId),
            traceparent: Self.bounded(call.traceparent), signedIdentity: call.identity, token: call.token,
            start: loop.now)
        try server.admit(&context)
        let credit = Int64(call.credit)
        let task: Task<Void, Never>
        do throws(RPCError) {
            task = try entry.start(self, id, context, call.request)
        } catch {
            server.finished(context, error)
            server.taskEnded()
            throw error
        }
        let timer = context.deadline.map { loop.setTimer($0, owner: self, tag: id) }
        state.opened(id, OpenCall(task: task, context: context, timer: timer, credit: credit, waiter: nil))
    }

    /// Names go into logs and on to other services: a long one is cut.
    private static func bounded(_ name: String) -> String {
        // Bytes, not Characters: one Character may have any number of them.
        name.utf8.count <= 64 ? name : String(name[..<name.utf8.index(name.startIndex, offsetBy: 64)])
    }

    /// When the caller stops waiting, at most the server's maximum from now.
    private func deadline(_ call: Call, _ method: MethodDescriptor) throws(RPCError) -> MonotonicTime? {
        guard let microseconds = call.timeoutUs else {
            if method.kind != .unary { return nil }
            throw .invalid("timeout_us", "a unary call needs a deadline: microseconds that are left for it")
        }
        let longest = method.kind == .unary ? server.maximumTimeoutNanoseconds : .max
        let (timeout, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        return loop.now.advanced(byNanoseconds: overflow ? longest : min(timeout, longest))
    }

    private func refuse(_ id: UInt32, _ error: RPCError) {
        let header = FrameHeader(.status, callID: id, isEnd: true)
        guard let transport, !transport.send(header, error.status) else { return }
        transport.send(header, RPCError(error.code, "the reason is too long to be sent").status)
    }
}

// MARK: answers out

extension ServerConnection {
    /// Runs the handler of a unary call and sends its answer.
    func answer<Request: WireMessage, Response: WireMessage>(
        _ id: UInt32, _ context: CallContext, _ request: Request,
        _ handler: @Sendable (Request, CallContext) async throws -> Response
    ) async {
        do {
            finish(id, context, try await handler(request, context))
        } catch {
            fail(id, context, error)
        }
    }

    /// Runs a handler that answers with packed bytes.
    func answerPacked(_ id: UInt32, _ context: CallContext, _ handler: @Sendable () async throws -> [UInt8]) async {
        do {
            finish(id, context, packed: try await handler())
        } catch {
            fail(id, context, error)
        }
    }

    /// Runs a handler that sends its answers itself.
    func answerStream(_ id: UInt32, _ context: CallContext, _ handler: @Sendable () async throws -> Void) async {
        do {
            try await handler()
            finishStream(id, context)
        } catch {
            fail(id, context, error)
        }
    }

    /// The whole answer of a unary call.
    private func finish(_ id: UInt32, _ context: CallContext, _ response: some WireMessage) {
        server.taskEnded()
        guard close(id) else { return }
        let fits = transport?.send(FrameHeader(.message, callID: id, isEnd: true), response) ?? true
        sent(id, context, fits)
    }

    /// The whole answer of a unary call, packed already.
    private func finish(_ id: UInt32, _ context: CallContext, packed bytes: [UInt8]) {
        server.taskEnded()
        guard close(id) else { return }
        let fits = unsafe bytes.withUnsafeBytes { bytes in
            unsafe transport?.send(FrameHeader(.message, callID: id, isEnd: true), bytes: bytes) ?? true
        }
        sent(id, context, fits)
    }

    /// An answer is on its way, or was too long for the caller: then that is how the call ended.
    private func sent(_ id: UInt32, _ context: CallContext, _ fits: Bool) {
        let error = fits ? nil : tooLong
        if let error { refuse(id, error) }
        server.finished(context, error)
        closeIfDone()
    }

    /// The end of a stream that went well.
    private func finishStream(_ id: UInt32, _ context: CallContext) {
        server.taskEnded()
        guard close(id) else { return }
        transport?.send(FrameHeader(.status, callID: id, isEnd: true), Status())
        server.finished(context, nil)
        closeIfDone()
    }

    /// The end of a call that went wrong.
    private func fail(_ id: UInt32, _ context: CallContext, _ error: any Error) {
        server.taskEnded()
        end(id, context, RPCError(anyError: error))
    }

    private func end(_ id: UInt32, _ context: CallContext, _ error: RPCError) {
        guard close(id) else { return }
        server.finished(context, error)
        refuse(id, error.naming(context.requestID))
        closeIfDone()
    }

    /// Takes the call out of the table; false when it was over before: cancelled, too late, or the connection gone.
    private func close(_ id: UInt32) -> Bool {
        guard let call = state.finish(id) else { return false }
        if let timer = call.timer { loop.cancelTimer(timer) }
        return true
    }

    /// The deadline of a call, or (tag 0) the time to look whether the connection is idle.
    package nonisolated func timerFired(_ tag: UInt32) {
        assumeIsolated { connection in
            guard tag != 0 else { return connection.checkIdle() }
            guard let call = connection.state.call(tag) else { return }
            connection.end(tag, call.context, .tooLate)
            connection.stop(call)
        }
    }

    private func scheduleIdleCheck() {
        idleTimer = loop.setTimer(loop.now + limits.idleTime, owner: self, tag: 0)
    }

    private func checkIdle() {
        guard state.openCalls == 0, loop.now.since(lastActivity) >= limits.idleTime else { return scheduleIdleCheck() }
        _ = state.drain()
        transport?.send(FrameHeader(.goAway), GoAway(lastCallId: state.lastCallID, reason: "idle"))
        transport?.close(after: "idle")
    }
}

// MARK: streams

extension ServerConnection {
    /// What a message of a stream costs: its payload and its header, so that empty ones are not free.
    static func cost(_ payloadBytes: Int) -> Int64 { Int64(payloadBytes + FrameHeader.byteCount) }

    /// Returns when the reader takes another message and not too much is queued for it; throws when the call is over.
    func waitForCredit(_ id: UInt32) async throws(RPCError) {
        while true {
            guard var call = state.call(id), !Task.isCancelled else {
                throw RPCError(.cancelled, "the stream's reader has gone")
            }
            let hasRoom = transport?.hasRoom ?? true
            if call.credit > 0, hasRoom { return }
            precondition(call.waiter == nil, "two tasks write to one stream")
            if !hasRoom { waitingForRoom.append(id) }
            await Waiter<Void>.suspend { waiter in
                call.waiter = waiter
                state.update(id, call)
            }
        }
    }

    func send(_ id: UInt32, _ message: some WireMessage) throws(RPCError) {
        try charge(id, message.packedByteCount)
        let fits = transport?.send(FrameHeader(.message, callID: id), message) ?? true
        if !fits { throw tooLong }
    }

    func send(_ id: UInt32, packed bytes: [UInt8]) throws(RPCError) {
        try charge(id, bytes.count)
        let fits = unsafe bytes.withUnsafeBytes { bytes in
            unsafe transport?.send(FrameHeader(.message, callID: id), bytes: bytes) ?? true
        }
        if !fits { throw tooLong }
    }

    private func charge(_ id: UInt32, _ payloadBytes: Int) throws(RPCError) {
        guard var call = state.call(id) else { throw RPCError(.cancelled, "the stream's reader has gone") }
        call.credit -= Self.cost(payloadBytes)
        state.update(id, call)
    }

    private func addCredit(_ id: UInt32, _ payload: UnsafeRawBufferPointer) {
        guard var call = state.call(id), let credit = try? unsafe Credit(packed: payload) else { return }
        call.credit = min(call.credit + Int64(credit.bytes), Int64(UInt32.max))
        state.update(id, call)
        resumeWriter(id)
    }

    private func resumeWriter(_ id: UInt32) {
        guard var call = state.call(id), let waiter = call.waiter.take() else { return }
        state.update(id, call)
        waiter.resume()
    }
}
