internal import CProtobufC
internal import CDescriptors
internal import Glibc
internal import ProtoSchema

/// protoc's side of the generator: reads a CodeGeneratorRequest, writes a CodeGeneratorResponse (plugin.proto).
enum Plugin {
    private typealias CodeGeneratorRequest = Google__Protobuf__Compiler__CodeGeneratorRequest

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
        let layout = unsafe google__protobuf__compiler__code_generator_request__layout()
        let unpacked = unsafe bytes.withUnsafeBytes {
            unsafe CStruct.unpack(layout, $0, as: CodeGeneratorRequest.self)
        }
        guard let request = unsafe unpacked else {
            throw GenerationError("the input is not a packed google.protobuf.compiler.CodeGeneratorRequest")
        }
        defer { unsafe CStruct.free(request) }
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
        unsafe response.base.descriptor = google__protobuf__compiler__code_generator_response__layout()
        unsafe response.has_supported_features = 1
        unsafe response.supported_features = 1  // FEATURE_PROTO3_OPTIONAL
        unsafe response.error = error.flatMap { unsafe strdup($0) }
        var pointers = unsafe files.map { unsafe Optional(cFile($0)) }
        return unsafe pointers.withUnsafeMutableBufferPointer { list in
            unsafe response.n_file = list.count
            unsafe response.file = list.baseAddress
            return unsafe CStruct.pack(&response)
        }
    }

    private static func cFile(
        _ file: GeneratedFile
    ) -> UnsafeMutablePointer<Google__Protobuf__Compiler__CodeGeneratorResponse__File> {
        let pointer = UnsafeMutablePointer<Google__Protobuf__Compiler__CodeGeneratorResponse__File>.allocate(
            capacity: 1)
        unsafe pointer.initialize(to: .init())
        unsafe pointer.pointee.base.descriptor = google__protobuf__compiler__code_generator_response__file__layout()
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
