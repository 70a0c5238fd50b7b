import Budgets
package import EventLoops
import TLS
import Wire

/// One client of a server. Stays on one loop for its whole life, and its handlers run there.
package actor ServerConnection: LoopActor {
    /// Bytes of payload that every client accepts: enough for a status with a code and a short reason.
    static let leastPeerLimit = 256

    /// What is kept with an open call.
    struct OpenCall {
        let task: Task<Void, Never>
        let context: CallContext
        let timer: TimerToken?
        /// Nil for a unary call.
        let streams: CallStreams?
    }

    package nonisolated let loop: EventLoop
    let server: Server
    /// Tasks that have run a call and wait for the next.
    var idleHandlers: [HandlerTask] = []
    /// Handlers that run or are about to, including those of calls that are over: cancelling does not end them at
    /// once.
    private var handlers = 0
    /// The method that was called last, and is often called again.
    private var lastEntry: Router.Entry?
    let limits: Limits
    var state: ServerConnectionState<OpenCall>
    var transport: FrameTransport?
    var clock: ConnectionClock
    private var windows: WindowBudget
    /// Which client it belongs to, as far as its address shows.
    let client: ClientKey
    var memory: CallMemory
    /// Who the client is, by its certificate.
    private var peer: PeerIdentity?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, server: Server, client: ClientKey) {
        self.client = client
        memory = CallMemory(server.memory, client, server.newcomers)
        self.loop = loop
        self.server = server
        limits = server.limits
        state = ServerConnectionState(maximumCalls: server.limits.callsPerConnection)
        clock = ConnectionClock(server.limits)
        windows = WindowBudget(server.limits)
    }

    /// Takes over the socket and sends hello, and goaway when there is a reason to refuse the client.
    func start(
        _ socket: consuming ConnectedSocket, _ memory: consuming TransportMemory, refusing reason: String? = nil
    ) {
        // The server may have begun to stop since it accepted the socket.
        guard !state.isDone else { return server.closed(self, nil) }
        peer = socket.peer
        let transport = FrameTransport(socket, loop: loop, limits: limits, memory: memory, owner: self)
        self.transport = transport
        do {
            try transport.start()
        } catch {
            return transport.closeNow("\(error)")
        }
        transport.send(FrameHeader(.hello), server.hello)
        if let reason { return fail(reason) }
        scheduleClock()
    }

    /// Sends goaway; the connection ends with its last call.
    func drain(_ reason: String = "shutting down") {
        guard state.drain() else { return }
        transport?.send(FrameHeader(.goAway), GoAway(lastCallId: state.lastCallID, reason: reason))
        closeIfDone()
    }

    /// Cancels what runs, notifies its callers, and closes.
    func abort(_ reason: String = "the server is shutting down") {
        let calls = state.close()
        for (id, call) in calls {
            let error = RPCError(.unavailable, reason)
            refuse(id, error.naming(call.context.requestID))
            release(call, error)
        }
        transport?.closeSoon(after: reason)
    }

    /// Reports to the peer what it did wrong, cancels what runs and closes.
    func fail(_ reason: String) {
        transport?.send(FrameHeader(.goAway), GoAway(lastCallId: state.lastCallID, reason: reason))
        transport?.closeSoon(after: reason)
        endAll("the caller broke the protocol")
    }

    var isOpen: Bool { transport != nil }

    func closeIfDone() {
        if state.isDone { transport?.close(after: nil) }
    }

    /// The callers of all open calls have gone.
    func endAll(_ reason: String) {
        for (_, call) in state.close() { release(call, RPCError(.cancelled, reason)) }
    }

    /// Releases a call that was removed from the table before its handler ended.
    func release(_ call: OpenCall, _ error: RPCError) {
        forget(call)
        call.task.cancel()
        call.streams?.end(error.message)
        server.finished(call.context, error, at: loop.look())
    }

    /// A handler that was started has ended.
    func handlerEnded(_ context: CallContext) {
        handlers -= 1
        memory.end(context.heldBytes)
        server.taskEnded(context)
    }

    /// Releases what an open call holds.
    func forget(_ call: OpenCall) {
        if let timer = call.timer { loop.cancelTimer(timer) }
        guard let streams = call.streams, streams.requestWindow > 0 else { return }
        windows.close(streams.requestWindow)
        _ = memory.open(windows: windows.given)
    }

    /// The stream state of a new call; nil for a unary call.
    func streams(
        _ id: UInt32, _ kind: MethodKind, credit: UInt32, isReceiving: Bool, _ requests: (any StreamReceiver)?
    ) -> CallStreams? {
        if kind == .unary { return nil }
        let answers = kind == .clientStreaming ? nil : SendWindow(credit: credit)
        guard let requests, isReceiving else {
            requests?.end(nil)
            return CallStreams(answers: answers, requests: nil, requestWindow: 0)
        }
        let window = windows.open()
        guard memory.open(windows: windows.given) else {
            windows.close(window)
            requests.end(.noMemory)
            return CallStreams(answers: answers, requests: nil, requestWindow: 0)
        }
        requests.open(window: window) { [weak self] bytes in self?.onLoop { $0.grant(id, bytes) } }
        // The client already knows the smallest window from our hello.
        if window > windows.least { grant(id, window - windows.least) }
        return CallStreams(answers: answers, requests: requests, requestWindow: window)
    }

    private func grant(_ id: UInt32, _ bytes: Int) {
        transport?.send(FrameHeader(.credit, callID: id), Credit(bytes: UInt32(clamping: bytes)))
    }
}

// MARK: frames in

extension ServerConnection: FrameTransport.Owner, IOHandler, TurnEndObserver {
    package nonisolated func ready(read: Bool, write: Bool) {
        onLoop { connection in
            if write { connection.transport?.flush() }
            if read { connection.transport?.readFrames(for: connection) }
        }
    }

    package nonisolated func turnEnded() { onLoop { $0.transport?.flush() } }

    package nonisolated func write() { onLoop { $0.transport?.write() } }

    nonisolated func broke(_ reason: String) { onLoop { $0.fail(reason) } }

    nonisolated func closed(_ reason: String?) {
        onLoop { connection in
            connection.endAll("the connection is closed")
            connection.endIdleHandlers()
            if let timer = connection.clock.timer { connection.loop.cancelTimer(timer) }
            connection.transport = nil
            connection.server.closed(connection, reason)
        }
    }

    func received(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
        clock.keepalive.received(loop.now)
        switch state.received(header) {
        case .hello: unsafe readHello(payload)
        case .start(let id) where handlers < limits.callsPerConnection:
            unsafe start(id, payload, isReceiving: !header.isEnd)
        case .start(let id), .refuse(let id):
            let limit = limits.callsPerConnection
            refuse(id, RPCError(.resourceExhausted, "\(limit) calls are open on this connection, more are not allowed"))
        case .cancel(let call):
            release(call, RPCError(.cancelled, "the caller has cancelled"))
            closeIfDone()
        case .credit(let call): unsafe addCredit(call, payload)
        case .message(let id, let call, let isLast): unsafe request(id, call, payload, isLast: isLast)
        case .endOfRequests(let call): call.streams?.requests?.end(nil)
        case .pong: unsafe transport?.send(FrameHeader(.pong), bytes: payload)
        case .ignore: break
        case .fail(let reason): fail(reason)
        }
    }

    /// There is no memory for a frame: its call ends, and the connection continues.
    func dropped(_ header: FrameHeader) {
        clock.keepalive.received(loop.now)
        switch state.received(header) {
        case .start(let id), .refuse(let id): refuse(id, .noMemory)
        case .message(let id, _, _): end(id, .noMemory)
        case .ignore: break
        default: fail("there is no memory for a \(header.kind) of this length")
        }
    }

    private func readHello(_ payload: UnsafeRawBufferPointer) {
        do {
            let limit = try unsafe Hello(packed: payload).maximumPayloadBytes
            guard limit == 0 || limit >= Self.leastPeerLimit else {
                return fail("the hello allows payloads of \(limit) bytes; at least \(Self.leastPeerLimit) are needed")
            }
            if limit > 0 { transport?.peerLimit = min(limits.frameBytes, Int(limit)) }
        } catch {
            fail("the hello does not decode: \(error.message)")
        }
    }

    private func start(_ id: UInt32, _ payload: UnsafeRawBufferPointer, isReceiving: Bool) {
        do throws(RPCError) {
            let call = try RPCError.converting { () throws(WireError) in try unsafe Call(packed: payload) }
            let headerBytes = payload.count - call.request.count
            guard headerBytes <= limits.callHeaderBytes else {
                throw RPCError(
                    .resourceExhausted,
                    "the call has \(headerBytes) bytes besides its request, "
                        + "at most \(limits.callHeaderBytes) are allowed")
            }
            try start(id, call, frameBytes: payload.count, isReceiving: isReceiving)
        } catch {
            refuse(id, error)
        }
    }

    private func start(_ id: UInt32, _ call: Call, frameBytes: Int, isReceiving: Bool) throws(RPCError) {
        let entry = try entry(call.method)
        let kind = entry.method.kind
        guard !isReceiving || kind == .clientStreaming || kind == .bidirectional else {
            throw .invalid("call", "\(entry.method.path) takes one request: its CALL has the flag END")
        }
        var context = CallContext(
            method: entry.method, deadline: try deadline(call, entry.method),
            requestID: Self.bounded(call.requestId),
            traceparent: Self.bounded(call.traceparent), signedIdentity: call.identity, token: call.token,
            start: loop.now, peer: peer, client: client)
        try server.admit(&context)
        memory.raise(context.standing)
        do throws(RPCError) {
            context.heldBytes = try memory.begin(
                kind == .unary ? .unary(needsTask: idleHandlers.isEmpty) : .stream, frameBytes: frameBytes)
        } catch {
            server.refused(context, error)
            throw error
        }
        handlers += 1
        let started = try start(id, entry.work, context, call.request)
        var timer: TimerToken?
        if let deadline = context.deadline { timer = loop.setTimer(deadline, owner: self, tag: id) }
        let streams = streams(id, kind, credit: call.credit, isReceiving: isReceiving, started.requests)
        state.opened(
            id, OpenCall(task: started.task, context: context, timer: timer, streams: streams), isReceiving: isReceiving
        )
    }

    private func entry(_ path: String) throws(RPCError) -> Router.Entry {
        // This comes first: comparing long names that are not ASCII can keep the loop busy for minutes, if made for
        // that.
        guard path.utf8.count <= MethodDescriptor.longestPath else {
            throw RPCError(.unimplemented, "there is no method with a name of \(path.utf8.count) bytes")
        }
        if let lastEntry, lastEntry.method.path == path { return lastEntry }
        guard let entry = server.router.entry(path) else {
            throw RPCError(.unimplemented, "there is no method \(path)")
        }
        lastEntry = entry
        return entry
    }

    private func start(
        _ id: UInt32, _ work: Router.Work, _ context: CallContext, _ request: [UInt8]
    ) throws(RPCError) -> Router.StartedCall {
        switch work {
        case .unary(let handler, let limiter):
            let call = UnaryCall(id: id, context: context, request: request, handler: handler, limiter: limiter)
            return Router.StartedCall(task: run(call))
        case .answers(let handler):
            // It prefers the loop, as do its child tasks: a handler that never suspends stays on it.
            let sink = ConnectionSink(connection: self, call: id)
            return Router.StartedCall(
                task: Task(executorPreference: loop) {
                    await self.answerStream(id, context) {
                        try await context.guarding { try await handler(request, $0, sink) }
                    }
                })
        case .requests(let handler):
            do throws(RPCError) {
                return try handler.start(self, id, context, request)
            } catch {
                server.finished(context, error, at: loop.look())
                handlerEnded(context)
                throw error
            }
        }
    }

    /// The next request of a stream.
    private func request(_ id: UInt32, _ call: OpenCall, _ payload: UnsafeRawBufferPointer, isLast: Bool) {
        guard let requests = call.streams?.requests else { return }
        do throws(RPCError) {
            try unsafe requests.receive(payload)
            if isLast { requests.end(nil) }
        } catch {
            end(id, error)
        }
    }

    private func addCredit(_ call: OpenCall, _ payload: UnsafeRawBufferPointer) {
        guard let answers = call.streams?.answers, let credit = try? unsafe Credit(packed: payload) else { return }
        answers.add(credit.bytes)
    }

    /// Names are logged and passed on to other services: a long one is cut.
    private static func bounded(_ name: String) -> String {
        // UTF-8 bytes, not Characters: one Character may have any number of bytes.
        name.utf8.count <= 64 ? name : String(name[..<name.utf8.index(name.startIndex, offsetBy: 64)])
    }

    /// When the caller stops waiting; at most the server's maximum from now.
    private func deadline(_ call: Call, _ method: MethodDescriptor) throws(RPCError) -> MonotonicTime? {
        guard let microseconds = call.timeoutUs else {
            if method.kind != .unary { return nil }
            throw .invalid("timeout_us", "a unary call needs a deadline: microseconds that are left for it")
        }
        // The caller does not wait for the answer any more: the work is not started.
        if microseconds == 0 { throw .tooLate }
        let longest = method.kind == .unary ? server.maximumTimeoutNanoseconds : .max
        let (timeout, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        return loop.now.advanced(byNanoseconds: overflow ? longest : min(timeout, longest))
    }

    func refuse(_ id: UInt32, _ error: RPCError) {
        let header = FrameHeader(.status, callID: id, isEnd: true)
        guard let transport, !transport.send(header, error.status) else { return }
        transport.send(header, RPCError(error.code, "the reason is too long to be sent").status)
    }
}
