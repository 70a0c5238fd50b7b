package import EventLoops
package import TLS
package import Wire

/// Calls one target, at all addresses of its name. Each loop has its own connections to them, so that a call made on a
/// loop stays on it.
package final class RPCClient: Sendable {
    /// The name or address that is called.
    package let target: Endpoint
    private let group: EventLoopGroup
    private let channels: [Channel]
    private let resolution: Resolution
    private let limits: Limits
    private let defaultTimeout: Duration

    /// `agent` is the client's name in its hello. `lookUp` returns the addresses of the target, which has to speak
    /// `tls` if that is given. `name` is what errors call the target, if not by its addresses.
    package init(
        _ target: Endpoint, group: EventLoopGroup, agent: String, limits: Limits = Limits(),
        rules: BalancingRules = BalancingRules(), defaultTimeout: Duration = .seconds(30), tls: TLSContext? = nil,
        name: String? = nil, lookUp: @escaping AddressLookup
    ) {
        self.target = target
        self.group = group
        self.limits = limits
        self.defaultTimeout = defaultTimeout
        let resolution = Resolution(loop: group.loops[0], rules: rules, lookUp: lookUp)
        self.resolution = resolution
        channels = group.loops.map {
            Channel(
                ConnectionPool(
                    loop: $0, target: target, agent: agent, limits: limits, rules: rules, resolution: resolution,
                    tls: tls, callee: Callee(name: name)))
        }
    }

    /// A client whose target is looked up by the system, on the threads of `resolver`.
    package convenience init(
        _ target: Endpoint, group: EventLoopGroup, resolver: BlockingPool, agent: String, limits: Limits = Limits(),
        defaultTimeout: Duration = .seconds(30), tls: TLSContext? = nil, name: String? = nil
    ) {
        self.init(
            target, group: group, agent: agent, limits: limits, defaultTimeout: defaultTimeout, tls: tls, name: name
        ) {
            try await resolver.run { try target.resolve() }
        }
    }

    /// What is known of each address that is called, over all loops.
    package func addresses() async -> [AddressStatistics] {
        var found: [SocketAddress: AddressStatistics] = [:]
        for channel in channels {
            for statistics in await channel.pool.statistics {
                var sum = found[statistics.address] ?? AddressStatistics(statistics.address)
                sum.add(statistics)
                found[statistics.address] = sum
            }
        }
        let named = found.values.map { (name: $0.address.description, statistics: $0) }
        return named.sorted { $0.name < $1.name }.map(\.statistics)
    }

    /// Closes all connections; open calls fail.
    package func close() async {
        await resolution.close()
        for channel in channels { await channel.pool.close() }
    }

    /// Calls a method that answers with one message.
    package func unary<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
    ) async throws(RPCError) -> Response {
        try Response(answer: await unaryBytes(method, request.packedBytes(), options))
    }

    /// Calls a method with bytes that are already packed, and returns the answer's bytes.
    package func unaryBytes(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions
    ) async throws(RPCError) -> [UInt8] {
        let repeatable = method.isIdempotent || options.isRepeatable
        let deadline = options.deadline ?? .now + defaultTimeout
        if options.isHedged, repeatable {
            return try await channel().hedged(call(method, request, options), deadline, options.note)
        }
        return try await channel().unary(
            call(method, request, options), repeatable: repeatable, deadline, options.note)
    }

    /// Sends a call at once, and leaves its answer to be awaited. Nil when it can't be sent at once, or may be sent to
    /// a second address later: such a call needs a task that waits for it.
    package func send(_ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions) -> SentCall? {
        let channel = channel()
        let (call, deadline) = (call(method, request, options), options.deadline ?? .now + defaultTimeout)
        let repeatable = method.isIdempotent || options.isRepeatable
        guard channel.loop.isCurrent else { return nil }
        return channel.onLoop { channel -> SentCall? in
            if options.isHedged, repeatable, channel.mayHedge { return nil }
            return channel.send(call, repeatable: repeatable, deadline, options.note)
        }
    }

    /// Calls a method that answers with a stream. The call starts when the stream is first read.
    package func serverStreaming<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
    ) -> ResponseStream<Response> {
        unsafe stream(method, request.packedBytes(), options) { bytes throws(WireError) in
            try unsafe Response(packed: bytes)
        }
    }

    /// Calls a streaming method with bytes that are already packed, and returns the bytes of the answers.
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
        let repeatable = method.isIdempotent || options.isRepeatable
        return ResponseStream {
            unsafe StreamReader(channel, call, deadline: options.deadline, isRepeatable: repeatable, decode)
        }
    }

    /// The call without the time left, which is computed when it is sent.
    func call(_ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions) -> Call {
        Call(
            method: method.path, requestId: options.requestID, traceparent: options.traceparent,
            identity: options.signedIdentity, token: options.token, request: request)
    }

    /// The loop that a call made here runs on: the caller's, else the next in turn.
    package var loop: EventLoop { channel().loop }

    /// The channel of the caller's loop, else of the next loop in turn.
    func channel() -> Channel {
        channels.first { $0.loop.isCurrent } ?? channels[group.nextIndex()]
    }
}

extension WireMessage {
    /// Decodes a packed answer.
    package init(answer bytes: [UInt8]) throws(RPCError) {
        do throws(WireError) {
            try self.init(packed: bytes)
        } catch {
            throw RPCError(.internalError, "the answer does not decode: \(error.message)")
        }
    }
}
