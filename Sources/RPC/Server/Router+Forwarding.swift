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
        }
    }

    private mutating func forwardStream(_ method: MethodDescriptor, to client: RPCClient) {
        add(method) { connection, call, context, request in
            Task(executorPreference: connection.loop) {
                await connection.answerStream(call, context) {
                    for try await message in client.serverStreamingBytes(method, request, CallOptions(context)) {
                        try await connection.waitForCredit(call)
                        try await connection.send(call, packed: message)
                    }
                }
            }
        }
    }
}
