package import EventLoops
import Synchronization
package import TLS
package import Wire

/// Calls one target. Each loop has its own connection to it, so that a call made on a loop never leaves it.
package final class RPCClient: Sendable {
    /// The name or address that is called.
    package let target: Endpoint
    private let group: EventLoopGroup
    private let channels: [Channel]
    private let limits: Limits
    private let defaultTimeout: Duration
    private let budget = Mutex(RetryBudget(capacity: 20))

    /// How often a call is sent at most.
    private static let attempts = 3

    /// `agent` is who the client says it is. `resolver` looks names up. With `tls` the target has to speak it.
    package init(
        _ target: Endpoint, group: EventLoopGroup, resolver: BlockingPool, agent: String, limits: Limits = Limits(),
        defaultTimeout: Duration = .seconds(30), tls: TLSContext? = nil
    ) {
        self.target = target
        self.group = group
        self.limits = limits
        self.defaultTimeout = defaultTimeout
        channels = group.loops.map {
            Channel(loop: $0, target: target, agent: agent, limits: limits, resolver: resolver, tls: tls)
        }
    }

    /// Closes all connections; open calls fail.
    package func close() async {
        for channel in channels { await channel.close() }
    }

    /// Calls a method that answers with one message.
    package func unary<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
    ) async throws(RPCError) -> Response {
        try unsafe await unary(method, request.packedBytes(), options) { bytes throws(WireError) in
            try unsafe Response(packed: bytes)
        }
    }

    /// Calls a method that answers with one message, which is left packed.
    package func unaryPacked<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
    ) async throws(RPCError) -> Packed<Response> {
        Packed(bytes: try await unaryBytes(method, request.packedBytes(), options))
    }

    /// Calls a method with bytes that are packed already, and gives the answer's bytes.
    package func unaryBytes(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions
    ) async throws(RPCError) -> [UInt8] {
        try unsafe await unary(method, request, options) { bytes in unsafe Array(bytes) }
    }

    /// Calls a method that answers with a stream. The call starts when the stream is first read.
    package func serverStreaming<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
    ) -> ResponseStream<Response> {
        unsafe stream(method, request.packedBytes(), options) { bytes throws(WireError) in
            try unsafe Response(packed: bytes)
        }
    }

    /// Calls a streaming method with bytes that are packed already, and gives the bytes of the answers.
    package func serverStreamingBytes(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions
    ) -> ResponseStream<[UInt8]> {
        unsafe stream(method, request, options) { bytes in unsafe Array(bytes) }
    }

    private func stream<Response: Sendable>(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Response
    ) -> ResponseStream<Response> {
        let (channel, call) = (channel(), call(method, request, options))
        return ResponseStream { unsafe StreamReader(channel, call, deadline: options.deadline, decode) }
    }

    private func unary<Response: Sendable>(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Response
    ) async throws(RPCError) -> Response {
        let deadline = options.deadline ?? .now + defaultTimeout
        let channel = channel()
        var attempt = 1
        while true {
            do {
                let call = self.call(method, request, options, deadline: deadline)
                let response = try unsafe await channel.unary(call, deadline, decode)
                budget.withLock { $0.callSucceeded() }
                return response
            } catch {
                guard attempt < Self.attempts, mayRetry(method, options, error), !Task.isCancelled else {
                    throw error.error
                }
                attempt += 1
            }
        }
    }

    private func mayRetry(_ method: MethodDescriptor, _ options: CallOptions, _ failure: AttemptFailure) -> Bool {
        let isSafe = failure.wasNotStarted || method.isIdempotent || options.isRepeatable
        guard isSafe, failure.error.code == .unavailable else { return false }
        return budget.withLock { $0.takeRetry() }
    }

    func call(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions, deadline: MonotonicTime? = nil
    ) -> Call {
        let left = (deadline ?? options.deadline)?.nanoseconds(since: .now)
        return Call(
            method: method.path, timeoutUs: left.map { $0 / 1000 }, requestId: options.requestID,
            traceparent: options.traceparent, identity: options.signedIdentity, token: options.token, request: request)
    }

    /// The loop that a call made here lives on: the caller's, else each in turn.
    package var loop: EventLoop { channel().loop }

    /// The channel of the loop that the caller is on, else of each loop in turn.
    func channel() -> Channel {
        channels.first { $0.loop.isCurrent } ?? channels[group.nextIndex()]
    }
}

extension Channel {
    /// Opens a call with streams on a connection that takes it.
    func open(
        _ pending: PendingCall, _ call: Call, _ deadline: MonotonicTime?
    ) async throws(AttemptFailure) -> (ClientConnection, UInt32) {
        for _ in 0..<Self.mostConnections {
            let connection = try await connected(deadline ?? .now + .seconds(10))
            do {
                return (connection, try await connection.open(pending, call, deadline: deadline))
            } catch  where error.isFull {
                continue
            }
        }
        throw full
    }

    /// One attempt of a unary call.
    func unary<Response: Sendable>(
        _ call: Call, _ deadline: MonotonicTime,
        _ decode: @escaping @Sendable (UnsafeRawBufferPointer) throws(WireError) -> Response
    ) async throws(AttemptFailure) -> Response {
        for _ in 0..<Self.mostConnections {
            let connection = try await connected(deadline)
            do {
                return try unsafe await connection.unary(call, deadline: deadline, decode)
            } catch  where error.isFull {
                continue
            }
        }
        throw full
    }
}
