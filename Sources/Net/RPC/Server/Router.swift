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

    /// Answers one packed request with any number of messages, which it gives to the sink.
    typealias StreamHandler =
        @Sendable (_ request: [UInt8], _ context: CallContext, _ sink: any AnswerSink) async throws -> Void

    /// Answers a stream of requests.
    struct RequestsHandler: Sendable {
        /// Of one of our own connections.
        let start:
            @Sendable (
                _ connection: ServerConnection, _ call: UInt32, _ context: CallContext, _ request: [UInt8]
            ) throws(RPCError) -> StartedCall
        /// Of another source, which gives one packed request after the other.
        let answer:
            @Sendable (_ requests: any RequestSource, _ context: CallContext, _ sink: any AnswerSink) async throws ->
                Void
    }

    /// A running handler, and the receiver of the requests that follow when they come as a stream.
    struct StartedCall {
        let task: Task<Void, Never>
        var requests: (any StreamReceiver)?
    }

    /// How calls of a method are answered. The number of streams is not limited per method: they may last.
    enum Work: Sendable {
        /// With the limit on how many calls of it run.
        case unary(UnaryHandler, MethodLimiter)
        case answers(StreamHandler)
        case requests(RequestsHandler)
    }

    /// A class, since it is passed along for each call.
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

    /// How many calls of a unary method run, and how many may.
    package func limiter(_ path: String) -> MethodLimiter? {
        guard case .unary(_, let limiter) = entries[path]?.work else { return nil }
        return limiter
    }

    func entry(_ path: String) -> Entry? { entries[path] }

    /// Registers a handler that answers one packed request with one packed message.
    package mutating func add(_ method: MethodDescriptor, _ handler: @escaping UnaryHandler) {
        add(method, .unary(handler, MethodLimiter()))
    }

    mutating func add(_ method: MethodDescriptor, _ work: Work) {
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
        add(method) { bytes, context in
            let request = try Request(request: bytes)
            return try await handler(request, context).packedBytes()
        }
    }

    /// Registers a handler that answers one request with any number of messages.
    package mutating func serverStreaming<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor,
        _ handler: @escaping @Sendable (Request, ResponseWriter<Response>, CallContext) async throws -> Void
    ) {
        add(
            method,
            .answers { bytes, context, sink in
                let request = try Request(request: bytes)
                try await context.working { try await handler(request, ResponseWriter(sink), context) }
            })
    }
}

extension WireMessage {
    /// Decodes a request; a request that does not decode is the caller's fault.
    package init(request bytes: [UInt8]) throws(RPCError) {
        self = try RPCError.converting { () throws(WireError) in try Self(packed: bytes) }
    }
}

extension RPCError {
    /// The error that the sender of a message that does not decode gets.
    static func converting<R>(_ body: () throws(WireError) -> R) throws(RPCError) -> R {
        do {
            return try body()
        } catch {
            let code: RPCCode = error.code == .overBudget ? .resourceExhausted : .invalidArgument
            throw RPCError(code, error.message, cause: error)
        }
    }
}
