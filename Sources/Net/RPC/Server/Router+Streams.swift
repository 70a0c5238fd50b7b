import EventLoops
package import Wire

extension Router {
    /// Registers a handler that answers a stream of requests with one message.
    package mutating func clientStreaming<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor,
        _ handler: @escaping @Sendable (RequestStream<Request>, CallContext) async throws -> Response
    ) {
        addStream(method) { connection, call, context, requests in
            await connection.answerOnce(call, context) {
                try await context.guarding { context in
                    try await context.working { try await handler(requests, context) }.packedBytes()
                }
            }
        }
    }

    /// Registers a handler that answers a stream of requests with a stream of messages.
    package mutating func bidirectional<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor,
        _ handler:
            @escaping @Sendable (RequestStream<Request>, ResponseWriter<Response>, CallContext) async throws ->
            Void
    ) {
        addStream(method) { (connection, call, context, requests: RequestStream<Request>) in
            let writer = ResponseWriter<Response>(ConnectionSink(connection: connection, call: call))
            await connection.answerStream(call, context) {
                try await context.guarding { context in
                    try await context.working { try await handler(requests, writer, context) }
                }
            }
        }
    }

    /// Registers a method whose requests are a stream. `run` has to end the call.
    private mutating func addStream<Request: WireMessage>(
        _ method: MethodDescriptor,
        _ run: @escaping @Sendable (ServerConnection, UInt32, CallContext, RequestStream<Request>) async -> Void
    ) {
        unsafe addStream(method, run) { bytes throws(RPCError) in
            try RPCError.converting { () throws(WireError) in try unsafe Request(packed: bytes) }
        }
    }

    /// Registers a method whose requests are a stream of messages that are left packed.
    mutating func addStream(
        _ method: MethodDescriptor,
        _ run: @escaping @Sendable (ServerConnection, UInt32, CallContext, RequestStream<[UInt8]>) async -> Void
    ) {
        unsafe addStream(method, run) { bytes in unsafe Array(bytes) }
    }

    private mutating func addStream<Request: Sendable>(
        _ method: MethodDescriptor,
        _ run: @escaping @Sendable (ServerConnection, UInt32, CallContext, RequestStream<Request>) async -> Void,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(RPCError) -> Request
    ) {
        let start: RequestsHandler = { connection, call, context, bytes throws(RPCError) in
            guard bytes.isEmpty else {
                throw .invalid("request", "the requests of \(method.path) are a stream: they come in MESSAGE frames")
            }
            let inbox = unsafe MessageInbox(decode)
            let requests = RequestStream(inbox, loop: connection.loop)
            let task = Task(executorPreference: connection.loop) { await run(connection, call, context, requests) }
            return StartedCall(task: task, requests: inbox)
        }
        add(method, .requests(start))
    }
}
