import Contracts
import EventLoops
import ProtoSchema
import RPC
import Wire
import WireJSON

/// What came of a call.
struct ScopeOutcome: Equatable, Sendable, CustomStringConvertible {
    /// The answers as JSON; of a watch the first alone.
    var answers: [String] = []
    var code = RPCCode.ok
    var message = ""

    /// All that the caller was told.
    var text: String { (answers + [message]).joined(separator: "\n") }
    var description: String { "\(code) \(message)\(answers.joined(separator: "\n").prefix(500))" }

    /// As if it had been about other things.
    func renamed(_ names: [String], to others: [String]) -> ScopeOutcome {
        func renamed(_ text: String) -> String {
            zip(names, others).reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
        return ScopeOutcome(answers: answers.map(renamed), code: code, message: renamed(message))
    }
}

/// How calls get to a server.
protocol ScopeWay: Sendable {
    /// The packed answers to a call with one packed request; of a watch the first.
    func answers(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions, isWatch: Bool
    ) async throws -> [[UInt8]]
}

/// A server, and the methods that it says it has.
struct ScopeDoor: Sendable {
    private static let json = WireJSON()
    /// The RPC's own reflection does not list what is there for clients of gRPC.
    private static let ofGRPC = ["grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"]

    let name: String
    let methods: [String: MethodSchema]
    private let way: any ScopeWay

    /// For people.
    var title: String { way is ScopeGRPC ? "\(name) by gRPC" : name }

    /// The same server by another way, which carries no streams both ways.
    init(_ door: ScopeDoor, by way: any ScopeWay) {
        name = door.name
        methods = door.methods.filter { !$0.value.isClientStreaming || !$0.value.isServerStreaming }
        self.way = way
    }

    /// Asks the server what it has.
    init(_ name: String, _ client: RPCClient) async throws {
        let reflection = ReflectionServiceClient(client)
        let services = try await reflection.listServices(ListServicesRequest()).services + Self.ofGRPC
        let set = try await reflection.getDescriptors(GetDescriptorsRequest(symbols: services)).fileDescriptorSet
        let schema = try unsafe set.withUnsafeBytes { bytes throws(SchemaError) in
            try unsafe Schema(fileDescriptorSet: bytes)
        }
        var methods: [String: MethodSchema] = [:]
        for service in services {
            for method in schema.services[service]?.methods ?? [] { methods["\(service)/\(method.name)"] = method }
        }
        (self.name, way, self.methods) = (name, ScopeRPC(client: client), methods)
    }

    func role(of path: String) -> Role { Role(rawValue: Int32(methods[path]?.role ?? 0)) }

    /// Calls a method with a request in JSON.
    func call(_ path: String, _ request: String, _ options: CallOptions) async throws -> ScopeOutcome {
        guard let method = methods[path] else { return ScopeOutcome(code: .unimplemented) }
        let packed = try Self.json.pack(json: Array(request.utf8), as: method.input)
        var outcome = ScopeOutcome()
        do {
            let isWatch = method.name.hasPrefix("Watch") && method.isServerStreaming
            for answer in try await way.answers(descriptor(path, method), packed, options, isWatch: isWatch) {
                let text = try Self.json.json(packed: answer, of: method.output)
                outcome.answers.append(String(decoding: text, as: UTF8.self))
            }
        } catch let error as RPCError {
            (outcome.code, outcome.message) = (error.code, error.message)
        }
        return outcome
    }

    private func descriptor(_ path: String, _ method: MethodSchema) -> MethodDescriptor {
        let parts = path.split(separator: "/").map(String.init)
        let kind: MethodKind =
            switch (method.isClientStreaming, method.isServerStreaming) {
            case (false, false): .unary
            case (false, true): .serverStreaming
            case (true, false): .clientStreaming
            case (true, true): .bidirectional
            }
        return MethodDescriptor(
            service: parts[0], method: parts[1], kind: kind, isIdempotent: method.idempotency != .unknown,
            hasNoSideEffects: method.idempotency == .noSideEffects, role: role(of: path))
    }
}

/// By the RPC.
private struct ScopeRPC: ScopeWay {
    let client: RPCClient

    func answers(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions, isWatch: Bool
    ) async throws -> [[UInt8]] {
        switch method.kind {
        case .unary: return [try await client.unaryBytes(method, request, options)]
        case .serverStreaming:
            return try await read(client.serverStreamingBytes(method, request, options), isWatch)
        case .clientStreaming:
            return [
                try await client.clientStreamingBytes(method, options) { writer in
                    try? await writer.write(packed: request)
                }
            ]
        case .bidirectional:
            return try await client.bidirectionalBytes(method, options) { writer, answers in
                // A server that refuses the call may do so before this.
                try? await writer.write(packed: request)
                await writer.finish()
                return try await read(answers, isWatch)
            }
        }
    }

    /// A watch has no end.
    private func read(_ stream: ResponseStream<[UInt8]>, _ isWatch: Bool) async throws -> [[UInt8]] {
        var answers: [[UInt8]] = []
        for try await answer in stream {
            answers.append(answer)
            if isWatch { break }
        }
        return answers
    }
}
