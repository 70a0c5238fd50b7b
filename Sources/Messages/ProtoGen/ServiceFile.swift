internal import ProtoSchema

/// The Swift file with the services of one .proto: what a server implements, and what a client calls.
struct ServiceFile {
    let text: String

    init(_ file: FileSchema, of schema: Schema, names: SwiftNames, checked: CheckedMessages) {
        var source = SourceText()
        source.banner(file.name)
        source.line("package import RPC")
        // An import for more than is needed is a warning.
        if !names.needWire(file.services) { source.line("import Wire") }
        source.imports(names.modules(of: file.services).subtracting([file.part.serviceModule]))
        for service in file.services {
            let repeatable = Set(service.methods.filter(schema.takesRequestID).map(\.name))
            ServiceText(
                service, names: names, checked: checked.names, repeatable: repeatable, roles: schema.roles
            ).declare(in: &source)
        }
        text = source.text
    }
}

/// A service in Swift.
struct ServiceText {
    private let schema: ServiceSchema
    private let names: SwiftNames
    /// Full names of the messages that have a check.
    private let checked: Set<String>
    /// Names of the methods that may be called again when their request has a `request_id`.
    private let repeatable: Set<String>
    /// What the values of waymark.rpc.v1.Role are called in Swift, by number.
    private let roles: [Int: String]

    init(
        _ schema: ServiceSchema, names: SwiftNames, checked: Set<String> = [], repeatable: Set<String> = [],
        roles: [Int: String] = [:]
    ) {
        self.schema = schema
        self.names = names
        self.checked = checked
        self.repeatable = repeatable
        self.roles = roles
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

    /// Not the service's own name, which is that of the module with its program.
    var handlerName: String { "\(schema.name)Handler" }
    var methodsName: String { "\(schema.name)Methods" }

    private func declareProtocol(in source: inout SourceText) {
        source.documentation(schema.comment)
        source.block("package protocol \(handlerName): RPCService") { source in
            for (index, method) in schema.methods.enumerated() {
                if index > 0 { source.line() }
                source.documentation(method.comment)
                source.line(requirement(method))
            }
        }
    }

    /// How a handler's method is declared.
    func requirement(_ method: MethodSchema) -> String {
        let inputs = handlerInputs(method).map { "_ \($0.name): \($0.type)" }.joined(separator: ", ")
        let start = "func \(SwiftNames.method(method.name))(\(inputs)) async throws"
        if method.isServerStreaming { return start }
        let output = names.type(method.output)
        return start + " -> \(method.isReadyPacked ? "Packed<\(output)>" : output)"
    }

    /// What a handler is given.
    private func handlerInputs(_ method: MethodSchema) -> [(name: String, type: String)] {
        let input = names.type(method.input)
        var inputs = [method.isClientStreaming ? ("requests", "RequestStream<\(input)>") : ("request", input)]
        if method.isServerStreaming { inputs.append(("responses", "ResponseWriter<\(names.type(method.output))>")) }
        return inputs + [("context", "CallContext")]
    }

    /// The case of MethodKind, which is also what the router's and the client's functions are called.
    private func kind(_ method: MethodSchema) -> String {
        switch (method.isClientStreaming, method.isServerStreaming) {
        case (false, false): "unary"
        case (false, true): "serverStreaming"
        case (true, false): "clientStreaming"
        case (true, true): "bidirectional"
        }
    }

    private func declareRegistration(in source: inout SourceText) {
        source.block("extension \(handlerName)") { source in
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
        if !method.isClientStreaming, !method.isServerStreaming { return registerUnary(method, name, in: &source) }
        let inputs = handlerInputs(method)
        source.block("router.\(kind(method))(\(methodsName).\(name))") { source in
            let typed = inputs.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
            source.line("(\(typed)) async throws in")
            if checked.contains(method.input) { source.line("try request.check()") }
            source.line("try await self.\(name)(\(inputs.map(\.name).joined(separator: ", ")))")
        }
    }

    /// Without a function between the bytes and the handler: each that is waited for costs a call some time.
    private func registerUnary(_ method: MethodSchema, _ name: String, in source: inout SourceText) {
        source.block("router.add(\(methodsName).\(name))") { source in
            source.line("(bytes: [UInt8], context: CallContext) async throws in")
            let packed = method.isReadyPacked ? "bytes" : "packedBytes()"
            let decoded = "\(names.type(method.input))(request: bytes)"
            guard checked.contains(method.input) else {
                return source.line("try await self.\(name)(\(decoded), context).\(packed)")
            }
            source.line("let request = try \(decoded)")
            source.line("try request.check()")
            source.line("return try await self.\(name)(request, context).\(packed)")
        }
    }

    private func declareMethods(in source: inout SourceText) {
        source.documentation("The methods of \(schema.fullName), as calls name them.")
        source.block("package enum \(methodsName)") { source in
            for method in schema.methods {
                source.line("package static let \(SwiftNames.method(method.name)) = MethodDescriptor(")
                source.indented { source in
                    let isIdempotent = method.idempotency != .unknown
                    let hasNoSideEffects = method.idempotency == .noSideEffects
                    source.line("service: \"\(schema.fullName)\", method: \"\(method.name)\", kind: .\(kind(method)),")
                    let role = roles[method.role] ?? "unspecified"
                    source.line("isIdempotent: \(isIdempotent), hasNoSideEffects: \(hasNoSideEffects), role: .\(role))")
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
        switch (method.isClientStreaming, method.isServerStreaming) {
        case (false, false):
            call(method, "unary", effects: "async throws ", calling: "try await ", output, in: &source)
        case (false, true):
            call(method, "serverStreaming", effects: "", calling: "", "ResponseStream<\(output)>", in: &source)
        case (true, false):
            let send = "_ send: @escaping @Sendable (RequestWriter<\(names.type(method.input))>) async throws -> Void"
            streamedCall(method, "", "send", send, output, in: &source)
        case (true, true):
            let sides = "RequestWriter<\(names.type(method.input))>, ResponseStream<\(output)>"
            streamedCall(method, "<R>", "body", "_ body: (\(sides)) async throws -> R", "R", in: &source)
        }
    }

    /// A call whose requests are a stream: a closure sends them.
    private func streamedCall(
        _ method: MethodSchema, _ generics: String, _ closure: String, _ parameter: String, _ output: String,
        in source: inout SourceText
    ) {
        let name = SwiftNames.method(method.name)
        source.documentation(method.comment)
        source.line("package func \(name)\(generics)(")
        source.indented { source in
            source.line("_ options: CallOptions = CallOptions(),")
            source.line(parameter)
        }
        source.block(") async throws -> \(output)") { source in
            source.line("try await client.\(kind(method))(\(methodsName).\(name), options, \(closure))")
        }
    }

    private func call(
        _ method: MethodSchema, _ function: String, effects: String, calling: String, _ output: String,
        in source: inout SourceText
    ) {
        let name = SwiftNames.method(method.name)
        source.documentation(method.comment)
        source.line("package func \(name)(")
        source.indented { source in
            source.line("_ request: \(names.type(method.input)), _ options: CallOptions = CallOptions()")
        }
        source.block(") \(effects)-> \(output)") { source in
            let options = repeatable.contains(method.name) ? "options.repeatable(request.requestId)" : "options"
            source.line("\(calling)client.\(function)(\(methodsName).\(name), request, \(options))")
        }
    }
}
