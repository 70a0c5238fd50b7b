import EventLoops
import Wire

// MARK: answers out

extension ServerConnection {
    /// Runs a handler that answers a stream of requests, with one message where the method has one.
    func answer(
        _ id: UInt32, _ context: CallContext, _ handler: @Sendable (any AnswerSink) async throws -> Void
    ) async {
        guard context.method.kind == .clientStreaming else {
            let sink = ConnectionSink(connection: self, call: id)
            return await answerStream(id, context) { try await handler(sink) }
        }
        do {
            let answer = SingleAnswer()
            try await handler(answer)
            finish(id, context, answer.bytes)
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

    /// The one answer of a call, packed.
    func finish(_ id: UInt32, _ context: CallContext, _ answer: [UInt8]) {
        handlerEnded(context)
        guard close(id) else { return }
        guard transport?.hasMemory(for: answer.count) ?? true else {
            refuse(id, RPCError.noMemory.naming(context.requestID))
            server.finished(context, .noMemory, at: loop.look())
            return closeIfDone()
        }
        sent(id, context, transport?.send(FrameHeader(.message, callID: id, isEnd: true), answer) ?? true)
    }

    /// An answer was queued, or was too long for the caller: then the call ended with that error.
    private func sent(_ id: UInt32, _ context: CallContext, _ fits: Bool) {
        let error = fits ? nil : tooLong
        if let error { refuse(id, error) }
        server.finished(context, error, at: loop.look())
        closeIfDone()
    }

    /// The end of a stream that went well.
    private func finishStream(_ id: UInt32, _ context: CallContext) {
        handlerEnded(context)
        guard close(id) else { return }
        transport?.send(FrameHeader(.status, callID: id, isEnd: true), Status())
        server.finished(context, nil, at: loop.look())
        closeIfDone()
    }

    /// The end of a call whose handler failed.
    func fail(_ id: UInt32, _ context: CallContext, _ error: any Error) {
        handlerEnded(context)
        guard close(id) else { return }
        let error = RPCError(anyError: error)
        server.finished(context, error, at: loop.look())
        refuse(id, error.naming(context.requestID))
        closeIfDone()
    }

    /// Ends a call whose handler is still running.
    func end(_ id: UInt32, _ error: RPCError) {
        guard let call = state.finish(id) else { return }
        refuse(id, error.naming(call.context.requestID))
        release(call, error)
        closeIfDone()
    }

    /// Removes the call from the table; false when it was over already: cancelled, too late, or the connection closed.
    private func close(_ id: UInt32) -> Bool {
        guard let call = state.finish(id) else { return false }
        forget(call)
        call.streams?.end("the call is over")
        return true
    }

    private var tooLong: RPCError {
        let limit = transport?.peerLimit ?? 0
        return RPCError(.resourceExhausted, "the answer is longer than the \(limit) bytes that the caller accepts")
    }
}

// MARK: streams

extension ServerConnection {
    /// Sends one message of a stream as soon as its reader has room for it and not too much is queued.
    func write(_ id: UInt32, _ message: some WireMessage) async throws(RPCError) {
        let (answers, transport) = try await room(id)
        let fits = try message.withPacked { packed throws(RPCError) in
            guard transport.hasMemory(for: packed.byteCount) else { throw .noMemory }
            answers.charge(packed.byteCount)
            return transport.send(FrameHeader(.message, callID: id), packed)
        }
        if !fits { throw tooLong }
    }

    /// Sends one packed message of a stream.
    func write(_ id: UInt32, packed bytes: [UInt8]) async throws(RPCError) {
        let (answers, transport) = try await room(id)
        guard transport.hasMemory(for: bytes.count) else { throw .noMemory }
        answers.charge(bytes.count)
        if !transport.send(FrameHeader(.message, callID: id), bytes) { throw tooLong }
    }

    private func room(_ id: UInt32) async throws(RPCError) -> (SendWindow, FrameTransport) {
        guard let transport, let answers = state.call(id)?.streams?.answers else { throw SendWindow.gone }
        try await answers.waitForRoom(on: transport)
        return (answers, transport)
    }
}
