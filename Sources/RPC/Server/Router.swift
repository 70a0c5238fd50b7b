import EventLoops
package import Wire

/// A set of methods that a server answers. Conformances are generated.
package protocol RPCService: Sendable {
    /// "waymark.places.v1.PlacesService"
    static var serviceName: String { get }
    func register(in router: inout Router)
}

/// Finds the handler of a method. Types are erased here, once, at registration.
package struct Router: Sendable {
    /// Answers one packed request with one packed message.
    package typealias UnaryHandler = @Sendable (_ request: [UInt8], _ context: CallContext) async throws -> [UInt8]

    /// Decodes the request and starts the task of a handler with streams, on the loop of the connection and with that
    /// loop for its child tasks: a handler that waits for nothing never leaves it.
    typealias Start =
        @Sendable (
            _ connection: ServerConnection, _ call: UInt32, _ context: CallContext, _ request: [UInt8]
        ) throws(RPCError) -> StartedCall

    /// A handler that runs, and who takes the requests that follow when they come as a stream.
    struct StartedCall {
        let task: Task<Void, Never>
        var requests: (any StreamReceiver)?
    }

    /// Decodes the request, runs the handler in the caller's task and gives its answers to the sink: for calls that
    /// came another way than over a connection of ours.
    typealias Answer =
        @Sendable (_ context: CallContext, _ request: [UInt8], _ sink: any AnswerSink) async throws -> Void

    /// How calls of a method are answered.
    enum Work: Sendable {
        /// With the limit on how many calls of it run.
        case unary(UnaryHandler, MethodLimiter)
        /// Any number of them run: they may last.
        case streams(Start, Answer)
    }

    /// A class, since it is handed around for each call.
    final class Entry: Sendable {
        let method: MethodDescriptor
        let work: Work

        init(_ method: MethodDescriptor, _ work: Work) {
            self.method = method
            self.work = work
        }
    }

    private var entries: [String: Entry] = [:]

    package init() {}

    /// A router with the methods of these services.
    package init(_ services: [any RPCService]) {
        for service in services { service.register(in: &self) }
    }

    /// All methods, by path.
    package var methods: [MethodDescriptor] { entries.values.map(\.method).sorted { $0.path < $1.path } }

    /// The method with this path: "waymark.places.v1.PlacesService/Nearby".
    package func method(_ path: String) -> MethodDescriptor? { entries[path]?.method }

    /// How many calls of a unary method run, and may.
    package func limiter(_ path: String) -> MethodLimiter? {
        guard case .unary(_, let limiter) = entries[path]?.work else { return nil }
        return limiter
    }

    func entry(_ path: String) -> Entry? { entries[path] }

    /// Registers a handler that answers one packed request with one packed message.
    package mutating func add(_ method: MethodDescriptor, _ handler: @escaping UnaryHandler) {
        add(method, .unary(handler, MethodLimiter()))
    }

    mutating func add(_ method: MethodDescriptor, start: @escaping Start, answer: @escaping Answer) {
        add(method, .streams(start, answer))
    }

    private mutating func add(_ method: MethodDescriptor, _ work: Work) {
        precondition(entries[method.path] == nil, "\(method.path) is registered twice")
        entries[method.path] = Entry(method.numbered(entries.count), work)
    }
}

extension Router {
    /// Registers a handler that answers one request with one message.
    package mutating func unary<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor,
        _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
    ) {
        add(method) { bytes, context in try await handler(Request(request: bytes), context).packedBytes() }
    }

    /// Registers a handler that answers one request with any number of messages.
    package mutating func serverStreaming<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor,
        _ handler: @escaping @Sendable (Request, ResponseWriter<Response>, CallContext) async throws -> Void
    ) {
        add(method) { connection, call, context, bytes throws(RPCError) in
            let request = try Request(request: bytes)
            let writer = ResponseWriter<Response>(ConnectionSink(connection: connection, call: call))
            let task = Task(executorPreference: connection.loop) {
                await connection.answerStream(call, context) { try await handler(request, writer, context) }
            }
            return StartedCall(task: task)
        } answer: { context, bytes, sink in
            try await handler(Request(request: bytes), ResponseWriter(sink), context)
        }
    }
}

extension WireMessage {
    /// Decodes a request; what does not decode is the caller's fault.
    package init(request bytes: [UInt8]) throws(RPCError) {
        self = try RPCError.converting { () throws(WireError) in try Self(packed: bytes) }
    }
}

extension RPCError {
    /// What a message that does not decode means to its sender.
    static func converting<R>(_ body: () throws(WireError) -> R) throws(RPCError) -> R {
        do {
            return try body()
        } catch {
            let code: RPCCode = error.code == .overBudget ? .resourceExhausted : .invalidArgument
            throw RPCError(code, error.message, cause: error)
        }
    }
}
