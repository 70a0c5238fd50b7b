import EventLoops
package import Wire

extension RPCClient {
    /// Calls a method that takes a stream of requests and answers with one message.
    ///
    /// `send` writes the requests; the stream ends when it returns. When it throws, the call is cancelled. The server
    /// may answer before it has seen all requests; writing then throws, which is not an error of the call.
    package func clientStreaming<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ options: CallOptions,
        _ send: @escaping @Sendable (RequestWriter<Request>) async throws -> Void
    ) async throws -> Response {
        try Response(answer: await answer(method, options, send))
    }

    /// As the method above, with bytes that are already packed.
    package func clientStreamingBytes(
        _ method: MethodDescriptor, _ options: CallOptions,
        _ send: @escaping @Sendable (RequestWriter<[UInt8]>) async throws -> Void
    ) async throws -> [UInt8] {
        try await answer(method, options, send)
    }

    /// Calls a method with streams both ways, for as long as `body` runs: a call that is still open then is cancelled.
    ///
    /// `body` writes requests and reads answers, in one task or in one for each direction.
    package func bidirectional<Request: WireMessage, Response: WireMessage, R>(
        _ method: MethodDescriptor, _ options: CallOptions,
        _ body: (RequestWriter<Request>, ResponseStream<Response>) async throws -> R
    ) async throws -> R {
        try unsafe await bidirectional(method, options, body) { bytes throws(WireError) in
            try unsafe Response(packed: bytes)
        }
    }

    /// As the method above, with bytes that are already packed.
    package func bidirectionalBytes<R>(
        _ method: MethodDescriptor, _ options: CallOptions,
        _ body: (RequestWriter<[UInt8]>, ResponseStream<[UInt8]>) async throws -> R
    ) async throws -> R {
        try unsafe await bidirectional(method, options, body) { bytes in unsafe Array(bytes) }
    }

    /// The packed answer to a stream of requests.
    private func answer<Request: Sendable>(
        _ method: MethodDescriptor, _ options: CallOptions,
        _ send: @escaping @Sendable (RequestWriter<Request>) async throws -> Void
    ) async throws -> [UInt8] {
        let pending = PendingUnary()
        pending.requests = SendWindow(credit: 0)
        let channel = channel()
        let (slot, connection, id): (Balancer.Slot, ClientConnection, UInt32)
        do throws(AttemptFailure) {
            (slot, connection, id) = try await channel.open(pending, call(method, [], options), options.deadline)
        } catch {
            throw error.error
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.sendAll(RequestWriter(connection, id), connection, id, send) }
            do throws(AttemptFailure) {
                let answer = try await channel.answer(pending, id, connection)
                await channel.began(slot, .answered)
                group.cancelAll()
                // Requests that could not be written any more do not matter: the answer has come.
                while let _ = await group.nextResult() {}
                return answer
            } catch {
                await channel.began(slot, error.outcome)
                group.cancelAll()
                try await group.waitForAll()
                throw error.error
            }
        }
    }

    /// Runs `send`. Its own error ends the call and is the caller's error; an error because the call was over is not.
    private static func sendAll<Request: Sendable>(
        _ writer: RequestWriter<Request>, _ connection: ClientConnection, _ id: UInt32,
        _ send: @escaping @Sendable (RequestWriter<Request>) async throws -> Void
    ) async throws {
        do {
            try await send(writer)
            await writer.finish()
        } catch {
            if await connection.giveUp(id) { throw error }
        }
    }

    private func bidirectional<Request: Sendable, Response: Sendable, R>(
        _ method: MethodDescriptor, _ options: CallOptions,
        _ body: (RequestWriter<Request>, ResponseStream<Response>) async throws -> R,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Response
    ) async throws -> R {
        let reader = unsafe StreamReader(
            channel(), call(method, [], options), deadline: options.deadline, sendsRequests: true, decode)
        let (connection, id) = try await reader.start()
        do {
            let result = try await body(RequestWriter(connection, id), ResponseStream { reader })
            _ = await connection.giveUp(id)
            return result
        } catch {
            _ = await connection.giveUp(id)
            throw error
        }
    }
}

/// Sends the requests of a stream.
package struct RequestWriter<Message: Sendable>: Sendable {
    private let connection: ClientConnection
    private let call: UInt32

    init(_ connection: ClientConnection, _ call: UInt32) {
        self.connection = connection
        self.call = call
    }

    /// Sends one request that is already packed.
    package func write(packed bytes: [UInt8]) async throws(RPCError) { try await connection.write(call, packed: bytes) }

    /// Ends the stream of requests. A second call does nothing.
    package func finish() async { await connection.finishRequests(call) }

    /// Sends one request as soon as the server has room for it. Throws when the call is over.
    package func write(_ message: Message) async throws(RPCError) where Message: WireMessage {
        try await write(packed: message.packedBytes())
    }
}
