internal import ProtoSchema

/// The Swift file with the services of one .proto: what a server implements, and what a client calls.
struct ServiceFile {
    let text: String

    init(_ file: FileSchema, of schema: Schema, names: SwiftNames) {
        var source = SourceText()
        source.banner(file.name)
        source.line("package import RPC")
        if names.needWire(file.services) { source.line("package import Wire") }
        for service in file.services {
            let repeatable = Set(service.methods.filter(schema.takesRequestID).map(\.name))
            ServiceText(service, names: names, repeatable: repeatable).declare(in: &source)
        }
        text = source.text
    }
}

/// A service in Swift.
struct ServiceText {
    private let schema: ServiceSchema
    private let names: SwiftNames
    /// Names of the methods that may be called again when their request has a `request_id`.
    private let repeatable: Set<String>

    init(_ schema: ServiceSchema, names: SwiftNames, repeatable: Set<String>) {
        self.schema = schema
        self.names = names
        self.repeatable = repeatable
    }

    func declare(in source: inout SourceText) {
        source.line()
        declareProtocol(in: &source)
        source.line()
        declareRegistration(in: &source)
        source.line()
        declareMethods(in: &source)
        source.line()
        declareClient(in: &source)
    }

    private var methodsName: String { "\(schema.name)Methods" }

    private func declareProtocol(in source: inout SourceText) {
        source.documentation(schema.comment)
        source.block("package protocol \(schema.name): RPCService") { source in
            for (index, method) in schema.methods.enumerated() {
                if index > 0 { source.line() }
                source.documentation(method.comment)
                source.line(requirement(method))
            }
        }
    }

    private func requirement(_ method: MethodSchema) -> String {
        let start = "func \(SwiftNames.method(method.name))(_ request: \(names.type(method.input)), "
        let output = names.type(method.output)
        if method.isServerStreaming {
            return start + "_ responses: ResponseWriter<\(output)>, _ context: CallContext) async throws"
        }
        return start + "_ context: CallContext) async throws -> \(method.isReadyPacked ? "Packed<\(output)>" : output)"
    }

    private func declareRegistration(in source: inout SourceText) {
        source.block("extension \(schema.name)") { source in
            source.documentation("Full name of the service.")
            source.line("package static var serviceName: String { \"\(schema.fullName)\" }")
            source.line()
            source.documentation("Adds every method of the service to the router.")
            source.block("package func register(in router: inout Router)") { source in
                for method in schema.methods { register(method, in: &source) }
            }
        }
    }

    private func register(_ method: MethodSchema, in source: inout SourceText) {
        let name = SwiftNames.method(method.name)
        let descriptor = "\(methodsName).\(name)"
        let input = names.type(method.input)
        if method.isServerStreaming {
            let writer = "ResponseWriter<\(names.type(method.output))>"
            source.block("router.serverStreaming(\(descriptor))") { source in
                source.line("(request: \(input), responses: \(writer), context: CallContext) async throws in")
                source.line("try await self.\(name)(request, responses, context)")
            }
        } else {
            source.block("router.\(method.isReadyPacked ? "unaryPacked" : "unary")(\(descriptor))") { source in
                source.line("(request: \(input), context: CallContext) async throws in")
                source.line("try await self.\(name)(request, context)")
            }
        }
    }

    private func declareMethods(in source: inout SourceText) {
        source.documentation("The methods of \(schema.fullName), as calls name them.")
        source.block("package enum \(methodsName)") { source in
            for method in schema.methods {
                source.line("package static let \(SwiftNames.method(method.name)) = MethodDescriptor(")
                source.indented { source in
                    let kind = method.isServerStreaming ? "serverStreaming" : "unary"
                    let isIdempotent = method.idempotency != .unknown
                    let hasNoSideEffects = method.idempotency == .noSideEffects
                    source.line("service: \"\(schema.fullName)\", method: \"\(method.name)\", kind: .\(kind),")
                    source.line("isIdempotent: \(isIdempotent), hasNoSideEffects: \(hasNoSideEffects))")
                }
            }
            let all = schema.methods.map { SwiftNames.method($0.name) }.joined(separator: ", ")
            source.line("package static var all: [MethodDescriptor] { [\(all)] }")
        }
    }

    private func declareClient(in source: inout SourceText) {
        source.documentation("Calls \(schema.fullName).")
        source.block("package struct \(schema.name)Client: Sendable") { source in
            source.line("private let client: RPCClient")
            source.line()
            source.line("package init(_ client: RPCClient) { self.client = client }")
            for method in schema.methods {
                source.line()
                declareCall(method, in: &source)
            }
        }
    }

    private func declareCall(_ method: MethodSchema, in source: inout SourceText) {
        let output = names.type(method.output)
        if method.isServerStreaming {
            call(method, "", "serverStreaming", effects: "", calling: "", "ResponseStream<\(output)>", in: &source)
            return
        }
        call(method, "", "unary", effects: "async throws ", calling: "try await ", output, in: &source)
        guard method.isReadyPacked else { return }
        source.line()
        call(
            method, "Packed", "unaryPacked", effects: "async throws ", calling: "try await ", "Packed<\(output)>",
            in: &source)
    }

    private func call(
        _ method: MethodSchema, _ suffix: String, _ function: String, effects: String, calling: String,
        _ output: String, in source: inout SourceText
    ) {
        let name = SwiftNames.method(method.name)
        source.documentation(method.comment)
        source.line("package func \(suffix.isEmpty ? name : plain(name) + suffix)(")
        source.indented { source in
            source.line("_ request: \(names.type(method.input)), _ options: CallOptions = CallOptions()")
        }
        source.block(") \(effects)-> \(output)") { source in
            let options = repeatable.contains(method.name) ? "options.repeatable(request.requestId)" : "options"
            source.line("\(calling)client.\(function)(\(methodsName).\(name), request, \(options))")
        }
    }

    private func plain(_ name: String) -> String { name.filter { $0 != "`" } }
}
