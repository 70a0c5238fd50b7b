import EventLoops
package import Wire

extension Router {
    /// Registers a handler that answers a stream of requests with one message.
    package mutating func clientStreaming<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor,
        _ handler: @escaping @Sendable (RequestStream<Request>, CallContext) async throws -> Response
    ) {
        addStream(method, Request.self) { requests, context, sink in
            try await sink.write(packed: context.working { try await handler(requests, context) }.packedBytes())
        }
    }

    /// Registers a handler that answers a stream of requests with a stream of messages.
    package mutating func bidirectional<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor,
        _ handler:
            @escaping @Sendable (RequestStream<Request>, ResponseWriter<Response>, CallContext) async throws ->
            Void
    ) {
        addStream(method, Request.self) { requests, context, sink in
            try await context.working { try await handler(requests, ResponseWriter(sink), context) }
        }
    }

    /// Answers a stream of requests, with one message or any number of them.
    typealias StreamsHandler<Request: Sendable> =
        @Sendable (RequestStream<Request>, CallContext, any AnswerSink) async throws -> Void

    private mutating func addStream<Request: WireMessage>(
        _ method: MethodDescriptor, _ type: Request.Type, _ handler: @escaping StreamsHandler<Request>
    ) {
        unsafe addStream(method, handler) { bytes throws(RPCError) in
            try RPCError.converting { () throws(WireError) in try unsafe Request(packed: bytes) }
        }
    }

    /// Registers a method whose requests are a stream of messages that are left packed.
    mutating func addStream(_ method: MethodDescriptor, _ handler: @escaping StreamsHandler<[UInt8]>) {
        unsafe addStream(method, handler) { bytes in unsafe Array(bytes) }
    }

    private mutating func addStream<Request: Sendable>(
        _ method: MethodDescriptor, _ handler: @escaping StreamsHandler<Request>,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(RPCError) -> Request
    ) {
        let work = RequestsHandler(
            start: { connection, call, context, bytes throws(RPCError) in
                guard bytes.isEmpty else {
                    throw .invalid(
                        "request", "the requests of \(method.path) are a stream: they come in MESSAGE frames")
                }
                let inbox = unsafe MessageInbox(decode)
                let requests = RequestStream(inbox, loop: connection.loop)
                let task = Task(executorPreference: connection.loop) {
                    await connection.answer(call, context) { sink in
                        try await context.guarding { try await handler(requests, $0, sink) }
                    }
                }
                return StartedCall(task: task, requests: inbox)
            },
            answer: { source, context, sink in
                let requests = RequestStream(source) { bytes throws(RPCError) in
                    try unsafe bytes.withUnsafeBytes { bytes in
                        Result { () throws(RPCError) in try unsafe decode(bytes) }
                    }.get()
                }
                try await handler(requests, context, sink)
            })
        add(method, .requests(work))
    }
}
