extension Router {
    /// Registers a method whose calls are passed on as they come, packed, to another server.
    ///
    /// The deadline, the names and the identity go along; cancelling the call cancels the one behind.
    package mutating func forward(_ method: MethodDescriptor, to client: RPCClient) {
        switch method.kind {
        case .unary: forwardUnary(method, to: client)
        case .serverStreaming: forwardStream(method, to: client)
        case .clientStreaming, .bidirectional:
            preconditionFailure("\(method.path): streams of requests are not spoken yet")
        }
    }

    private mutating func forwardUnary(_ method: MethodDescriptor, to client: RPCClient) {
        add(method) { connection, call, context, request in
            Task(executorPreference: connection.loop) {
                await connection.answerPacked(call, context) {
                    try await client.unaryBytes(method, request, CallOptions(context))
                }
            }
        } answer: { context, request, sink in
            try await sink.write(packed: client.unaryBytes(method, request, CallOptions(context)))
        }
    }

    private mutating func forwardStream(_ method: MethodDescriptor, to client: RPCClient) {
        add(method) { connection, call, context, request in
            Task(executorPreference: connection.loop) {
                let sink = ConnectionSink(connection: connection, call: call)
                await connection.answerStream(call, context) {
                    try await Self.pass(client.serverStreamingBytes(method, request, CallOptions(context)), to: sink)
                }
            }
        } answer: { context, request, sink in
            try await Self.pass(client.serverStreamingBytes(method, request, CallOptions(context)), to: sink)
        }
    }

    private static func pass(_ messages: ResponseStream<[UInt8]>, to sink: any AnswerSink) async throws {
        for try await message in messages { try await sink.write(packed: message) }
    }
}
