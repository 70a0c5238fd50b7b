import EventLoops
import Synchronization
import Wire

/// One connection to a server. Stays on one loop for its whole life.
actor ClientConnection: LoopActor {
    nonisolated let loop: EventLoop
    nonisolated let address: SocketAddress
    private let callee: Callee
    private let limits: Limits
    private var state: ClientConnectionState<PendingCall>
    private var transport: FrameTransport?
    private var keepalive: Keepalive
    private var keepaliveTimer: TimerToken?
    private var windows: WindowBudget
    /// Bytes of each stream of requests that the server accepts from the start; nil before its hello.
    private var requestCredit: UInt32?
    /// Which data the server answers from; "" before its hello, and when it does not say.
    private(set) var data = ""
    /// Why it takes no more calls; nil as long as it does.
    private(set) var end: String?
    /// Whether the server has answered a call here.
    private(set) var hasAnswered = false
    private let onHello: @Sendable (ClientConnection) -> Void
    private let onClose: @Sendable (ClientConnection) -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// `onHello` is called on the loop when the server's hello has come; `onClose` once, when the connection is closed.
    init(
        loop: EventLoop, address: SocketAddress, callee: Callee, limits: Limits,
        onHello: @escaping @Sendable (ClientConnection) -> Void,
        onClose: @escaping @Sendable (ClientConnection) -> Void
    ) {
        self.loop = loop
        self.address = address
        self.callee = callee
        self.limits = limits
        self.onHello = onHello
        self.onClose = onClose
        state = ClientConnectionState(maximumCalls: limits.callsPerConnection)
        keepalive = Keepalive(limits)
        windows = WindowBudget(limits)
    }

    /// Takes over a connected socket and sends hello. Calls may start at once.
    func start(_ socket: consuming ConnectedSocket, agent: String) {
        let transport = FrameTransport(socket, loop: loop, limits: limits, owner: self)
        self.transport = transport
        do {
            try transport.start()
        } catch {
            return transport.closeNow("\(error)")
        }
        let hello = Hello(
            agent: agent, maximumPayloadBytes: UInt32(clamping: limits.frameBytes),
            maximumCalls: UInt32(clamping: limits.callsPerConnection))
        transport.send(FrameHeader(.hello), hello)
        scheduleKeepalive()
    }

    var acceptsCalls: Bool { transport != nil && state.acceptsCalls }
    var acceptsStreams: Bool { transport != nil && state.acceptsStreams }

    /// Whether it takes calls again as soon as one has ended.
    var isFull: Bool { transport != nil && state.isFull }

    var openCalls: Int { state.openCalls }

    /// Closes now; open calls fail.
    func close(_ reason: String = "the client was closed") { transport?.closeNow(reason) }

    /// Takes no new calls, and closes when the last one has ended.
    func retire() {
        state.retire()
        closeIfDone()
    }
}

// MARK: calls

extension ClientConnection {
    /// Starts a call; what comes is put into `pending`. When that has a window for requests, `write` sends them.
    func open(_ pending: PendingCall, _ call: inout Call, deadline: MonotonicTime?) throws(AttemptFailure) -> UInt32 {
        guard let transport, let id = state.open(pending) else {
            let error = callee.error(.unavailable, "the connection to \(address) accepts no new calls")
            throw AttemptFailure(error, wasNotStarted: true, isFull: isFull)
        }
        if let answers = pending.answers { call.credit = openWindow(id, pending, answers) }
        if let requestCredit { pending.requests?.add(requestCredit) }
        guard transport.send(FrameHeader(.call, callID: id, isEnd: pending.requests == nil), call) else {
            if let pending = state.cancel(id) { forget(pending) }
            throw AttemptFailure(tooLong(transport.peerLimit), wasNotStarted: true)
        }
        if let deadline { pending.timer = loop.setTimer(deadline, owner: self, tag: id) }
        return id
    }

    private func tooLong(_ limit: Int) -> RPCError {
        callee.error(
            .resourceExhausted, "the request is longer than the \(limit) bytes that \(address) accepts",
            shown: "takes requests of at most \(limit) bytes")
    }

    /// Lets the server send answers ahead; returns how many bytes.
    private func openWindow(_ id: UInt32, _ pending: PendingCall, _ answers: any StreamReceiver) -> UInt32 {
        pending.answerWindow = windows.open()
        answers.open(window: pending.answerWindow) { [weak self] bytes in self?.onLoop { $0.grant(id, bytes) } }
        return UInt32(clamping: pending.answerWindow)
    }

    /// Cancels the call at the server: its caller has gone.
    nonisolated func cancelLater(_ id: UInt32) {
        loop.executeLater {
            self.onLoop { $0.cancel(id, RPCError(.cancelled, "the call was cancelled")) }
        }
    }

    /// The caller gives up this call; false when it was over already.
    func giveUp(_ id: UInt32) -> Bool {
        guard state.call(id) != nil else { return false }
        cancel(id, RPCError(.cancelled, "the call was given up"))
        return true
    }

    /// Grants the server room for more of a stream.
    private func grant(_ id: UInt32, _ bytes: Int) {
        transport?.send(FrameHeader(.credit, callID: id), Credit(bytes: UInt32(clamping: bytes)))
    }

    private func cancel(_ id: UInt32, _ error: RPCError) {
        guard let call = state.cancel(id) else { return }
        transport?.send(FrameHeader(.cancel, callID: id))
        end(call, AttemptFailure(error))
        closeIfDone()
    }

    /// The server sent something invalid: the call is cancelled there and fails here with `error`.
    private func abandon(_ id: UInt32, _ call: PendingCall, _ error: RPCError) {
        if state.cancel(id) != nil { transport?.send(FrameHeader(.cancel, callID: id)) }
        end(call, AttemptFailure(error))
        closeIfDone()
    }

    private func end(_ call: PendingCall, _ failure: AttemptFailure?) {
        forget(call)
        call.ended(failure)
    }

    /// Releases what an open call holds.
    private func forget(_ call: PendingCall) {
        call.end = loop.now
        if let timer = call.timer { loop.cancelTimer(timer) }
        windows.close(call.answerWindow)
        call.answerWindow = 0
        call.requests?.end()
    }

    private func closeIfDone() {
        if state.isDone { transport?.close(after: nil) }
    }
}

// MARK: streams of requests

extension ClientConnection {
    /// Sends one request of a stream as soon as the server has room for it and not too much is queued.
    func write(_ id: UInt32, packed bytes: [UInt8]) async throws(RPCError) {
        guard let transport, let requests = state.call(id)?.requests else { throw SendWindow.gone }
        try await requests.waitForRoom(on: transport)
        requests.charge(bytes.count)
        if !transport.send(FrameHeader(.message, callID: id), bytes) { throw tooLong(transport.peerLimit) }
    }

    /// Signals the end of the requests to the server.
    func finishRequests(_ id: UInt32) {
        guard let requests = state.call(id)?.requests, !requests.isOver else { return }
        requests.end()
        transport?.send(FrameHeader(.status, callID: id, isEnd: true))
    }
}

// MARK: frames in

extension ClientConnection: FrameTransport.Owner, IOHandler, TurnEndObserver, TimerOwner {
    nonisolated func ready(read: Bool, write: Bool) {
        onLoop { connection in
            if write { connection.transport?.flush() }
            if read { connection.transport?.readFrames(for: connection) }
        }
    }

    nonisolated func turnEnded() { onLoop { $0.transport?.flush() } }

    nonisolated func write() { onLoop { $0.transport?.write() } }

    nonisolated func broke(_ reason: String) { onLoop { $0.fail(reason) } }

    nonisolated func closed(_ reason: String?) {
        onLoop { connection in
            if let timer = connection.keepaliveTimer { connection.loop.cancelTimer(timer) }
            connection.transport = nil
            let end = "the connection to \(connection.address) is closed: \(reason ?? "by the server")"
            connection.end = connection.end ?? end
            let error = connection.callee.error(.unavailable, end)
            for call in connection.state.close() { connection.end(call, AttemptFailure(error)) }
            connection.onClose(connection)
        }
    }

    func received(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) {
        keepalive.received(loop.now)
        switch state.received(header) {
        case .hello: unsafe readHello(payload)
        case .message(let call, let isLast):
            hasAnswered = true
            if isLast { forget(call) }
            if let error = unsafe call.received(payload, isLast: isLast) { abandon(header.callID, call, error) }
            if isLast { closeIfDone() }
        case .status(let call):
            hasAnswered = true
            end(call, unsafe Self.failure(payload))
            closeIfDone()
        case .credit(let call):
            if let credit = try? unsafe Credit(packed: payload) { call.requests?.add(credit.bytes) }
        case .pong: unsafe transport?.send(FrameHeader(.pong), bytes: payload)
        case .alive: break
        case .goAway: unsafe goAway(payload)
        case .ignore: break
        case .fail(let reason): fail(reason)
        }
    }

    /// Does not happen: what servers send is not counted against a budget.
    func dropped(_ header: FrameHeader) { fail("a \(header.kind) took too much memory") }

    private func readHello(_ payload: UnsafeRawBufferPointer) {
        do {
            let hello = try unsafe Hello(packed: payload)
            state.limit(calls: Int(hello.maximumCalls))
            requestCredit = hello.streamCredit
            data = hello.data
            for call in state.calls.values { call.requests?.add(hello.streamCredit) }
            if hello.maximumPayloadBytes > 0 {
                transport?.peerLimit = min(limits.frameBytes, Int(hello.maximumPayloadBytes))
            }
            onHello(self)
        } catch {
            fail("the hello does not decode: \(error.message)")
        }
    }

    /// The server broke the protocol: sends it the reason and closes the connection.
    private func fail(_ reason: String) {
        transport?.send(FrameHeader(.goAway), GoAway(reason: reason))
        transport?.close(after: reason)
        let error = callee.error(.unavailable, "\(address) broke the protocol: \(reason)")
        for call in state.close() { end(call, AttemptFailure(error)) }
    }

    /// How a call ended; nil when it succeeded.
    private static func failure(_ payload: UnsafeRawBufferPointer) -> AttemptFailure? {
        do {
            let status = try unsafe Status(packed: payload)
            return status.code == RPCCode.ok.rawValue ? nil : AttemptFailure(RPCError(status))
        } catch {
            return AttemptFailure(RPCError(.internalError, "the status does not decode: \(error.message)"))
        }
    }

    private func goAway(_ payload: UnsafeRawBufferPointer) {
        let message = (try? unsafe GoAway(packed: payload)) ?? GoAway()
        let reason = "\(address) accepts no new calls: \(message.reason)"
        end = reason
        let error = callee.error(.unavailable, reason)
        for call in state.goneAway(lastCallID: message.lastCallId) {
            end(call, AttemptFailure(error, wasNotStarted: true))
        }
        closeIfDone()
    }
}

// MARK: timers

extension ClientConnection {
    /// The deadline of a call, or (tag 0) the time to check the connection itself.
    nonisolated func timerFired(_ tag: UInt32) {
        onLoop { connection in
            guard tag != 0 else { return connection.keepAlive() }
            let error = connection.callee.error(
                .deadlineExceeded, "\(connection.address) did not answer before the deadline",
                shown: "did not answer in time")
            connection.cancel(tag, error)
        }
    }

    private func scheduleKeepalive() {
        keepaliveTimer = loop.setTimer(loop.now + keepalive.period, owner: self, tag: 0)
    }

    private func keepAlive() {
        switch keepalive.step(loop.now, hasCalls: state.openCalls > 0) {
        case .wait: break
        case .ping: transport?.ping()
        case .giveUp where transport?.isComingToPing() ?? false: keepalive.waitOn(loop.now)
        case .giveUp: return transport?.closeNow("no sign of life for \(limits.pingTimeout)") ?? ()
        }
        scheduleKeepalive()
    }
}
