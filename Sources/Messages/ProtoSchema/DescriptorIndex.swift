package import CDescriptors
internal import CProtobufC

/// Which file of a packed google.protobuf.FileDescriptorSet declares what, and which files it takes to understand it.
package struct DescriptorIndex: Sendable {
    /// The file of every service, method ("package.Service/Method"), message and enum, by full name.
    private var files: [String: String] = [:]
    private var imports: [String: [String]] = [:]

    package init(_ schema: Schema) {
        for file in schema.files {
            imports[file.name] = file.imports
            for name in Self.names(in: file) { files[name] = file.name }
        }
    }

    private static func names(in file: FileSchema) -> [String] {
        let messages = file.messages.flatMap(\.withNested)
        let methods = file.services.flatMap { service in service.methods.map { "\(service.fullName)/\($0.name)" } }
        return messages.map(\.fullName) + messages.flatMap(\.enums).map(\.fullName) + file.enums.map(\.fullName)
            + file.services.map(\.fullName) + methods
    }

    /// The file that declares a symbol.
    package func file(of symbol: String) -> String? { files[symbol] }

    /// Whether there is a file with this name.
    package func holds(file name: String) -> Bool { imports[name] != nil }

    /// The files with these names and all that they import.
    package func closure(of names: some Sequence<String>) -> Set<String> {
        var found: Set<String> = []
        var rest = Array(names)
        while let name = rest.popLast() {
            if found.insert(name).inserted { rest += imports[name] ?? [] }
        }
        return found
    }
}

/// A packed google.protobuf.FileDescriptorSet.
package enum FileDescriptorSet {
    /// The same with only the files of these names, in their order. Throws when `bytes` are no such set.
    package static func keeping(
        _ names: Set<String>, of bytes: UnsafeRawBufferPointer
    ) throws(SchemaError) -> [UInt8] {
        guard let set = unsafe unpack(bytes) else {
            throw SchemaError("the \(bytes.count) bytes given are not a packed google.protobuf.FileDescriptorSet")
        }
        defer { unsafe CStruct.free(set) }
        var files = unsafe (0..<set.pointee.n_file).map { unsafe set.pointee.file[$0] }
        unsafe files.removeAll { file in unsafe !names.contains(text(file?.pointee.name)) }
        return unsafe files.withUnsafeMutableBufferPointer { files in unsafe pack(files) }
    }

    /// All files in their order, each packed for itself and without its comments: they have no positions
    /// here, and readers written in Go take no comment without one. Throws when `bytes` are no such set.
    package static func files(
        of bytes: UnsafeRawBufferPointer
    ) throws(SchemaError) -> [(name: String, bytes: [UInt8])] {
        guard let set = unsafe unpack(bytes) else {
            throw SchemaError("the \(bytes.count) bytes given are not a packed google.protobuf.FileDescriptorSet")
        }
        defer { unsafe CStruct.free(set) }
        return unsafe (0..<set.pointee.n_file).compactMap { index in
            guard let file = unsafe set.pointee.file[index] else { return nil }
            // What is hidden while it is packed is freed with the set.
            let comments = unsafe file.pointee.source_code_info
            unsafe file.pointee.source_code_info = nil
            defer { unsafe file.pointee.source_code_info = comments }
            return unsafe (text(file.pointee.name), CStruct.pack(file))
        }
    }

    private static func pack(
        _ files: UnsafeMutableBufferPointer<UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>?>
    ) -> [UInt8] {
        var set = unsafe Google__Protobuf__FileDescriptorSet()
        unsafe set.base.descriptor = google__protobuf__file_descriptor_set__layout()
        unsafe set.n_file = files.count
        unsafe set.file = files.baseAddress
        return unsafe CStruct.pack(&set)
    }

    /// protobuf-c's struct of it, until it is freed. Nil when `bytes` are no such set.
    package static func unpack(
        _ bytes: UnsafeRawBufferPointer
    ) -> UnsafeMutablePointer<Google__Protobuf__FileDescriptorSet>? {
        let layout = unsafe google__protobuf__file_descriptor_set__layout()
        return unsafe CStruct.unpack(layout, bytes, as: Google__Protobuf__FileDescriptorSet.self)
    }
}
