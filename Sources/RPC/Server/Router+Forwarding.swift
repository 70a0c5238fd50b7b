extension Router {
    /// Registers a method whose calls are passed on as they come, packed, to another server.
    ///
    /// The deadline, the names and the identity go along; cancelling the call cancels the one behind.
    package mutating func forward(_ method: MethodDescriptor, to client: RPCClient) {
        switch method.kind {
        case .unary: forwardUnary(method, to: client)
        case .serverStreaming: forwardStream(method, to: client)
        case .clientStreaming: forwardRequests(method, to: client)
        case .bidirectional: forwardBoth(method, to: client)
        }
    }

    private mutating func forwardUnary(_ method: MethodDescriptor, to client: RPCClient) {
        let limiter = MethodLimiter()
        add(method, limiter) { connection, call, context, request in
            let task = Task(executorPreference: connection.loop) {
                await connection.answerPacked(call, context, limiter) {
                    try await client.unaryBytes(method, request, CallOptions(context))
                }
            }
            return StartedCall(task: task)
        } answer: { context, request, sink in
            let answer = try await limiter.run(context) {
                try await client.unaryBytes(method, request, CallOptions(context))
            }
            try await sink.write(packed: answer)
        }
    }

    private mutating func forwardStream(_ method: MethodDescriptor, to client: RPCClient) {
        add(method) { connection, call, context, request in
            let task = Task(executorPreference: connection.loop) {
                let sink = ConnectionSink(connection: connection, call: call)
                await connection.answerStream(call, context) {
                    try await Self.pass(client.serverStreamingBytes(method, request, CallOptions(context)), to: sink)
                }
            }
            return StartedCall(task: task)
        } answer: { context, request, sink in
            try await Self.pass(client.serverStreamingBytes(method, request, CallOptions(context)), to: sink)
        }
    }

    private mutating func forwardRequests(_ method: MethodDescriptor, to client: RPCClient) {
        addStream(method) { connection, call, context, requests in
            await connection.answerPacked(call, context) {
                try await client.clientStreamingBytes(method, CallOptions(context)) { writer in
                    for try await request in requests { try await writer.write(packed: request) }
                }
            }
        }
    }

    private mutating func forwardBoth(_ method: MethodDescriptor, to client: RPCClient) {
        addStream(method) { connection, call, context, requests in
            let sink = ConnectionSink(connection: connection, call: call)
            await connection.answerStream(call, context) {
                try await client.bidirectionalBytes(method, CallOptions(context)) { writer, answers in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            for try await request in requests { try await writer.write(packed: request) }
                            await writer.finish()
                        }
                        try await Self.pass(answers, to: sink)
                        // The call is over: what the client still sends is of no use to anybody.
                        group.cancelAll()
                    }
                }
            }
        }
    }

    private static func pass(_ messages: ResponseStream<[UInt8]>, to sink: any AnswerSink) async throws {
        for try await message in messages { try await sink.write(packed: message) }
    }
}
