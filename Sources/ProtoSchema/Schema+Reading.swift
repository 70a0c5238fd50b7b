internal import CProtobufC
internal import CDescriptors

extension Schema {
    /// Reads a packed google.protobuf.FileDescriptorSet. Throws when the bytes are not one.
    package init(fileDescriptorSet bytes: UnsafeRawBufferPointer) throws(SchemaError) {
        guard unsafe DescriptorNesting.isBounded(bytes) else {
            throw SchemaError("messages are declared more than \(DescriptorNesting.deepest) deep in each other")
        }
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let set = unsafe google__protobuf__file_descriptor_set__unpack(nil, bytes.count, start) else {
            throw SchemaError("the \(bytes.count) bytes given are not a packed google.protobuf.FileDescriptorSet")
        }
        defer { unsafe google__protobuf__file_descriptor_set__free_unpacked(set, nil) }
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
