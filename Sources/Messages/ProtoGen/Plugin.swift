internal import CProtobufC
internal import CDescriptors
internal import Glibc
internal import ProtoSchema

/// protoc's side of the generator: reads a CodeGeneratorRequest, writes a CodeGeneratorResponse (plugin.proto).
enum Plugin {
    static func answer(to request: [UInt8]) throws(GenerationError) -> [UInt8] {
        let (schema, paths) = try read(request)
        do {
            return respond(files: try SwiftGenerator(schema).files(for: paths), error: nil)
        } catch {
            return respond(files: [], error: error.description)
        }
    }

    /// All files, and the paths of those to generate for.
    private static func read(_ bytes: [UInt8]) throws(GenerationError) -> (Schema, Set<String>) {
        guard
            let request = unsafe google__protobuf__compiler__code_generator_request__unpack(nil, bytes.count, bytes)
        else { throw GenerationError("the input is not a packed google.protobuf.compiler.CodeGeneratorRequest") }
        defer { unsafe google__protobuf__compiler__code_generator_request__free_unpacked(request, nil) }
        var files: [FileSchema] = []
        for index in unsafe 0..<request.pointee.n_proto_file {
            if let file = unsafe request.pointee.proto_file[index] { files.append(unsafe FileSchema(unpacked: file)) }
        }
        let paths = unsafe (0..<request.pointee.n_file_to_generate).compactMap { index in
            unsafe request.pointee.file_to_generate[index].map { unsafe String(cString: $0) }
        }
        return (Schema(files: files), Set(paths))
    }

    /// The response's strings are not freed: the process ends after it.
    private static func respond(files: [GeneratedFile], error: String?) -> [UInt8] {
        var response = unsafe Google__Protobuf__Compiler__CodeGeneratorResponse()
        unsafe google__protobuf__compiler__code_generator_response__init(&response)
        unsafe response.has_supported_features = 1
        unsafe response.supported_features = 1  // FEATURE_PROTO3_OPTIONAL
        unsafe response.error = error.flatMap { unsafe strdup($0) }
        var pointers = unsafe files.map { unsafe Optional(cFile($0)) }
        return unsafe pointers.withUnsafeMutableBufferPointer { list in
            unsafe response.n_file = list.count
            unsafe response.file = list.baseAddress
            let size = unsafe google__protobuf__compiler__code_generator_response__get_packed_size(&response)
            return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = unsafe google__protobuf__compiler__code_generator_response__pack(&response, buffer.baseAddress)
            }
        }
    }

    private static func cFile(
        _ file: GeneratedFile
    ) -> UnsafeMutablePointer<Google__Protobuf__Compiler__CodeGeneratorResponse__File> {
        let pointer = UnsafeMutablePointer<Google__Protobuf__Compiler__CodeGeneratorResponse__File>.allocate(
            capacity: 1)
        unsafe google__protobuf__compiler__code_generator_response__file__init(pointer)
        unsafe pointer.pointee.name = strdup(file.path)
        unsafe pointer.pointee.content = strdup(file.content)
        return unsafe pointer
    }
}

/// A file that protoc is to write below its output folder.
struct GeneratedFile: Equatable {
    let path: String
    let content: String
}
