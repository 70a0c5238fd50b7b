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

/// A server, and the methods that it says it has.
struct ScopeDoor: Sendable {
    private static let json = WireJSON()

    let name: String
    let methods: [String: MethodSchema]
    private let client: RPCClient

    /// Asks the server what it has.
    init(_ name: String, _ client: RPCClient) async throws {
        let reflection = ReflectionServiceClient(client)
        let services = try await reflection.listServices(ListServicesRequest()).services
        let set = try await reflection.getDescriptors(GetDescriptorsRequest(symbols: services)).fileDescriptorSet
        let schema = try unsafe set.withUnsafeBytes { bytes throws(SchemaError) in
            try unsafe Schema(fileDescriptorSet: bytes)
        }
        var methods: [String: MethodSchema] = [:]
        for service in services {
            for method in schema.services[service]?.methods ?? [] { methods["\(service)/\(method.name)"] = method }
        }
        (self.name, self.client, self.methods) = (name, client, methods)
    }

    func role(of path: String) -> Role { Role(rawValue: Int32(methods[path]?.role ?? 0)) }

    /// Calls a method with a request in JSON.
    func call(_ path: String, _ request: String, _ options: CallOptions) async throws -> ScopeOutcome {
        guard let method = methods[path] else { return ScopeOutcome(code: .unimplemented) }
        let packed = try Self.json.pack(json: Array(request.utf8), as: method.input)
        var outcome = ScopeOutcome()
        do {
            for answer in try await answers(path, method, packed, options) {
                let text = try Self.json.json(packed: answer, of: method.output)
                outcome.answers.append(String(decoding: text, as: UTF8.self))
            }
        } catch let error as RPCError {
            (outcome.code, outcome.message) = (error.code, error.message)
        }
        return outcome
    }

    private func answers(
        _ path: String, _ method: MethodSchema, _ request: [UInt8], _ options: CallOptions
    ) async throws -> [[UInt8]] {
        let parts = path.split(separator: "/").map(String.init)
        let isIdempotent = method.idempotency != .unknown
        func descriptor(_ kind: MethodKind) -> MethodDescriptor {
            MethodDescriptor(
                service: parts[0], method: parts[1], kind: kind, isIdempotent: isIdempotent,
                hasNoSideEffects: method.idempotency == .noSideEffects, role: role(of: path))
        }
        switch (method.isClientStreaming, method.isServerStreaming) {
        case (false, false): return [try await client.unaryBytes(descriptor(.unary), request, options)]
        case (false, true):
            return try await read(client.serverStreamingBytes(descriptor(.serverStreaming), request, options), method)
        case (true, false):
            return [
                try await client.clientStreamingBytes(descriptor(.clientStreaming), options) { writer in
                    try? await writer.write(packed: request)
                }
            ]
        case (true, true):
            return try await client.bidirectionalBytes(descriptor(.bidirectional), options) { writer, answers in
                // A server that refuses the call may do so before this.
                try? await writer.write(packed: request)
                await writer.finish()
                return try await read(answers, method)
            }
        }
    }

    /// A watch has no end.
    private func read(_ stream: ResponseStream<[UInt8]>, _ method: MethodSchema) async throws -> [[UInt8]] {
        var answers: [[UInt8]] = []
        for try await answer in stream {
            answers.append(answer)
            if method.name.hasPrefix("Watch") { break }
        }
        return answers
    }
}
