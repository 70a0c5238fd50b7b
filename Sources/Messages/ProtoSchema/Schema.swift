internal import CDescriptors
internal import CProtobufC

/// What the .proto files say, as values: read from descriptors by protobuf-c, used by ProtoGen, JSON and reflection.
package struct Schema: Sendable {
    /// The files, each after those it imports.
    package let files: [FileSchema]
    /// Every message, nested ones included, by its full name.
    package let messages: [String: MessageSchema]
    /// Every enum, nested ones included, by its full name.
    package let enums: [String: EnumSchema]
    /// Every service by its full name.
    package let services: [String: ServiceSchema]

    /// Indexes the declarations of files that were read.
    package init(files: [FileSchema]) {
        self.files = files
        let roots = files.flatMap(\.messages)
        let all = roots.flatMap(\.withNested)
        let enums = files.flatMap(\.enums) + all.flatMap(\.enums)
        let services = files.flatMap(\.services)
        messages = Dictionary(all.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })
        self.enums = Dictionary(enums.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })
        self.services = Dictionary(services.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether a call of the method can be named by the field `request_id` of its request, and then be made again.
    package func takesRequestID(_ method: MethodSchema) -> Bool {
        messages[method.input]?.fields.contains { $0.name == "request_id" && $0.type == .string } ?? false
    }

    /// The method with a path as calls carry it: "package.Service/Method".
    package func method(_ path: String) -> MethodSchema? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let service = services[String(parts[0])] else { return nil }
        return service.methods.first { $0.name == parts[1] }
    }
}

extension Schema {
    /// Reads a packed google.protobuf.FileDescriptorSet. Throws when the bytes are not one.
    package init(fileDescriptorSet bytes: UnsafeRawBufferPointer) throws(SchemaError) {
        guard unsafe DescriptorNesting.isBounded(bytes) else {
            throw SchemaError("messages are declared more than \(DescriptorNesting.deepest) deep in each other")
        }
        guard let set = unsafe FileDescriptorSet.unpack(bytes) else {
            throw SchemaError("the \(bytes.count) bytes given are not a packed google.protobuf.FileDescriptorSet")
        }
        defer { unsafe CStruct.free(set) }
        let files = unsafe list(set.pointee.file, set.pointee.n_file) { file, _ in unsafe FileSchema(unpacked: file) }
        self.init(files: files)
    }
}

extension FileSchema {
    /// Reads protobuf-c's struct of a google.protobuf.FileDescriptorProto.
    package init(unpacked pointer: UnsafeRawPointer) {
        let file = unsafe pointer.assumingMemoryBound(to: Google__Protobuf__FileDescriptorProto.self)
        unsafe self.init(
            name: text(file.pointee.name), package: text(file.pointee.package),
            syntax: file.pointee.syntax == nil ? "proto2" : text(file.pointee.syntax))
        let reader = unsafe DescriptorReader(comments: Comments(file))
        imports = unsafe (0..<file.pointee.n_dependency).map { unsafe text(file.pointee.dependency[$0]) }
        hasPublicImports = unsafe file.pointee.n_public_dependency + file.pointee.n_weak_dependency > 0
        messages = unsafe list(file.pointee.message_type, file.pointee.n_message_type) {
            unsafe reader.message($0, scope: package, path: [4, $1])
        }
        enums = unsafe list(file.pointee.enum_type, file.pointee.n_enum_type) {
            unsafe reader.enumeration($0, scope: package, path: [5, $1])
        }
        services = unsafe list(file.pointee.service, file.pointee.n_service) {
            unsafe reader.service($0, scope: package, path: [6, $1])
        }
        extensions = unsafe list(file.pointee.extension, file.pointee.n_extension) {
            unsafe reader.field($0, path: [7, $1])
        }
    }
}

/// Descriptors that cannot be read.
package struct SchemaError: Error, Equatable, CustomStringConvertible {
    /// A sentence that says what is wrong.
    package let description: String

    /// With the sentence given.
    package init(_ description: String) { self.description = description }
}
