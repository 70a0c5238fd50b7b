internal import ProtoSchema

/// What the generator does not do. Each refusal names the file, the declaration and what is allowed instead.
struct Refusals {
    let schema: Schema

    init(_ schema: Schema) { self.schema = schema }

    func check() throws(GenerationError) {
        for file in schema.files where file.isGenerated { try check(file) }
    }

    private func check(_ file: FileSchema) throws(GenerationError) {
        // With proto2 go groups, required fields, defaults and extension ranges.
        guard file.syntax == "proto3" else {
            throw refusal(file, "syntax \"\(file.syntax)\"", "only proto3 is generated")
        }
        if file.hasPublicImports {
            throw refusal(file, "import public", "public and weak imports are not generated; import what is used")
        }
        if file.package == "google.protobuf" && !["Duration", "Timestamp"].contains(file.messages.first?.name) {
            throw refusal(file, file.package, "of the well-known types only Duration and Timestamp are generated")
        }
        if let field = (file.extensions + file.messages.flatMap(\.withNested).flatMap(\.extensions)).first {
            throw refusal(file, "extension \(field.name)", "the only ones known are those in \(FileSchema.options)")
        }
        for message in file.messages.flatMap(\.withNested) { try check(message, file) }
        for item in file.enums + file.messages.flatMap(\.withNested).flatMap(\.enums) { try check(item, file) }
        for service in file.services { try check(service, file) }
    }

    private func check(_ item: EnumSchema, _ file: FileSchema) throws(GenerationError) {
        guard !item.allowsAlias else { throw refusal(file, item.fullName, "allow_alias is not generated") }
        guard item.name.first?.isUppercase == true, item.name.allSatisfy(\.isASCIIAlphanumeric) else {
            throw refusal(file, item.fullName, "enum names are UpperCamelCase")
        }
    }

    private func check(_ service: ServiceSchema, _ file: FileSchema) throws(GenerationError) {
        for method in service.methods {
            let name = "\(service.fullName)/\(method.name)"
            guard method.name.first?.isUppercase == true, method.name.allSatisfy(\.isASCIIAlphanumeric) else {
                throw refusal(file, name, "method names are UpperCamelCase")
            }
            if let number = method.unknownOptions.first {
                throw refusal(
                    file, name,
                    "method option \(number) is not known; ours are (waymark.rpc.v1.role) and "
                        + "(waymark.rpc.v1.ready_packed)")
            }
            if method.isClientStreaming && CheckedMessages(schema).names.contains(method.input) {
                throw refusal(file, name, "a stream of requests is not checked; its messages may have no rules")
            }
            if method.isReadyPacked && (method.isServerStreaming || method.isClientStreaming) {
                throw refusal(file, name, "ready_packed is for unary methods")
            }
            if method.isServerStreaming && !isWatchableOrNoWatch(method) {
                throw refusal(
                    file, name,
                    "a watch has uint64 from_version = 15 in its request and uint64 version = 15 in its responses")
            }
            if schema.roles[method.role] == nil {
                throw refusal(
                    file, name,
                    "it does not say who may call it; option (waymark.rpc.v1.role) = ROLE_USER does, or another "
                        + "waymark.rpc.v1.Role")
            }
        }
        if let number = service.unknownOptions.first {
            throw refusal(
                file, service.fullName, "service option \(number) is not known; ours is (waymark.rpc.v1.answered_by)")
        }
        if schema.programs.names(of: service).isEmpty {
            throw refusal(
                file, service.fullName,
                "it does not say which program answers it; option (waymark.rpc.v1.answered_by) = PROGRAM_PIN_SERVICE "
                    + "does, or another waymark.rpc.v1.Program")
        }
    }

    /// A watch resumes where it broke off, also through a gateway that knows only these two field numbers.
    private func isWatchableOrNoWatch(_ method: MethodSchema) -> Bool {
        guard let request = schema.messages[method.input], request.field("from_version") != nil else { return true }
        return [request.field("from_version"), schema.messages[method.output]?.field("version")].allSatisfy {
            $0?.number == 15 && $0?.type == .uint64 && $0?.isRepeated == false
        }
    }

    func refusal(_ file: FileSchema, _ what: String, _ sentence: String) -> GenerationError {
        GenerationError("\(file.name): \(what): \(sentence)")
    }
}

extension MessageSchema {
    fileprivate func field(_ name: String) -> FieldSchema? { fields.first { $0.name == name } }
}
