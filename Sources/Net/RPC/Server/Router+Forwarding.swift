import Wire

extension Router {
    /// Registers a method whose calls are forwarded to another server, still packed.
    ///
    /// The deadline, the names and the identity are forwarded too; cancelling the call cancels the forwarded one.
    package mutating func forward(_ method: MethodDescriptor, to client: RPCClient) {
        switch method.kind {
        case .unary: add(method) { request, context in try await Self.forwarded(method, request, context, to: client) }
        case .serverStreaming: forwardStream(method, to: client)
        case .clientStreaming: forwardRequests(method, to: client)
        case .bidirectional: forwardBoth(method, to: client)
        }
    }

    private mutating func forwardStream(_ method: MethodDescriptor, to client: RPCClient) {
        add(
            method,
            .answers { request, context, sink in
                let messages = client.serverStreamingBytes(method, request, CallOptions(context))
                try await Self.pass(messages, of: method, to: sink)
            })
    }

    private mutating func forwardRequests(_ method: MethodDescriptor, to client: RPCClient) {
        addStream(method) { requests, context, sink in
            let answer = try await client.clientStreamingBytes(method, CallOptions(context)) { writer in
                for try await request in requests { try await writer.write(packed: request) }
            }
            try await sink.write(packed: answer)
        }
    }

    private mutating func forwardBoth(_ method: MethodDescriptor, to client: RPCClient) {
        addStream(method) { requests, context, sink in
            try await Self.pass(both: method, context, client, requests, sink)
        }
    }

    private static func pass(
        both method: MethodDescriptor, _ context: CallContext, _ client: RPCClient, _ requests: RequestStream<[UInt8]>,
        _ sink: any AnswerSink
    ) async throws {
        try await client.bidirectionalBytes(method, CallOptions(context)) { writer, answers in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await request in requests { try await writer.write(packed: request) }
                    await writer.finish()
                }
                try await pass(answers, of: method, to: sink)
                // The call is over: what the client still sends is no longer needed.
                group.cancelAll()
            }
        }
    }

    /// `request_id` of every request that changes something; TidyTests compare it with the protos.
    private static let changeName = BytesField(15)

    /// The packed answer of another server to a packed request.
    package static func forwarded(
        _ method: MethodDescriptor, _ request: [UInt8], _ context: CallContext, to client: RPCClient
    ) async throws(RPCError) -> [UInt8] {
        var options = CallOptions(context)
        // A change that has a name is made once, however often it is asked for.
        if !method.isIdempotent { options.isRepeatable = changeName.isSet(in: request) }
        do {
            return try await client.unaryBytes(method, request, options)
        } catch {
            throw error.ofBranch(method.service)
        }
    }

    private static func pass(
        _ messages: ResponseStream<[UInt8]>, of method: MethodDescriptor, to sink: any AnswerSink
    ) async throws {
        let iterator = messages.makeAsyncIterator()
        while let message = try await next(iterator, of: method) { try await sink.write(packed: message) }
    }

    private static func next(
        _ iterator: ResponseStream<[UInt8]>.Iterator, of method: MethodDescriptor
    ) async throws(RPCError) -> [UInt8]? {
        do {
            return try await iterator.next()
        } catch {
            throw error.ofBranch(method.service)
        }
    }
}

extension RPCError {
    /// The same error, naming the service behind this one that failed, unless the caller is at fault.
    func ofBranch(_ service: String) -> RPCError {
        switch code {
        case .unavailable, .deadlineExceeded, .resourceExhausted, .internalError, .unknown, .dataLoss:
            var named = self
            var details = details ?? StatusDetails()
            if details.failedBranch.isEmpty { details.failedBranch = service }
            named.details = details
            return named
        default: return self
        }
    }
}
