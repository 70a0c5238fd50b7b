internal import Glibc
internal import CProtobufC
internal import CDescriptors
internal import ProtoSchema

/// Turns original descriptors into ones that protoc-c 1.4 can do justice to:
/// - `optional` is no longer said, its one-field oneof stays: so the presence of 0 is kept;
/// - strings become bytes: protoc-c's end at the first NUL;
/// - enums become int32, and their declarations go: no C enum is seen by Swift, unknown numbers are kept;
/// - our own options of fields go: it does not know them;
/// - services, extensions, comments and imports of files without messages go: nothing in C needs them;
/// - a field whose name means something in C gets a `_` behind it.
///
/// None of this changes a byte of what is packed.
enum DescriptorRewriter {
    static func rewrite(_ descriptorSet: [UInt8]) throws(GenerationError) -> [UInt8] {
        guard let set = unsafe descriptorSet.withUnsafeBytes({ unsafe FileDescriptorSet.unpack($0) }) else {
            throw GenerationError("the input is not a packed google.protobuf.FileDescriptorSet")
        }
        // What the rewriting drops is never freed: this is a step of a short process.
        let files = unsafe (0..<set.pointee.n_file).compactMap { unsafe set.pointee.file[$0] }
        unsafe files.forEach { unsafe rewrite($0) }
        let empty = unsafe Set(
            files.filter { unsafe !hasMessagesOfOurs($0) }.map { unsafe String(cString: $0.pointee.name) })
        unsafe files.forEach { unsafe dropImports(of: empty, from: $0) }
        return unsafe CStruct.pack(set)
    }

    private static func rewrite(_ file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>) {
        unsafe file.pointee.source_code_info = nil
        guard unsafe !isDescriptorProto(file) else { return }
        unsafe file.pointee.n_service = 0
        unsafe file.pointee.n_enum_type = 0
        unsafe file.pointee.n_extension = 0
        for index in unsafe 0..<file.pointee.n_message_type {
            guard let message = unsafe file.pointee.message_type[index] else { continue }
            unsafe rewrite(message)
        }
    }

    private static func isDescriptorProto(_ file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>) -> Bool {
        unsafe String(cString: file.pointee.name) == "google/protobuf/descriptor.proto"
    }

    private static func hasMessagesOfOurs(_ file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>) -> Bool {
        unsafe file.pointee.n_message_type > 0 && !isDescriptorProto(file)
            && String(cString: file.pointee.name) != FileSchema.options
    }

    /// No C is generated for files without messages, so nothing may include it.
    private static func dropImports(
        of empty: Set<String>, from file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>
    ) {
        var kept = 0
        for index in unsafe 0..<file.pointee.n_dependency {
            let path = unsafe file.pointee.dependency[index]
            guard let name = unsafe path, unsafe !empty.contains(String(cString: name)) else { continue }
            unsafe file.pointee.dependency[kept] = path
            kept += 1
        }
        unsafe file.pointee.n_dependency = kept
    }

    private static func rewrite(_ message: UnsafeMutablePointer<Google__Protobuf__DescriptorProto>) {
        unsafe message.pointee.n_enum_type = 0
        for index in unsafe 0..<message.pointee.n_field {
            guard let field = unsafe message.pointee.field[index] else { continue }
            unsafe rewrite(field)
        }
        for index in unsafe 0..<message.pointee.n_nested_type {
            guard let nested = unsafe message.pointee.nested_type[index] else { continue }
            unsafe rewrite(nested)
        }
    }

    private static func rewrite(_ field: UnsafeMutablePointer<Google__Protobuf__FieldDescriptorProto>) {
        unsafe field.pointee.has_proto3_optional = 0
        unsafe field.pointee.proto3_optional = 0
        unsafe field.pointee.json_name = nil
        if let options = unsafe field.pointee.options { unsafe options.pointee.base.n_unknown_fields = 0 }
        switch unsafe field.pointee.type {
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_STRING:
            unsafe field.pointee.type = GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_BYTES
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_ENUM:
            unsafe field.pointee.type = GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_INT32
            unsafe field.pointee.type_name = nil
        default: break
        }
        let name = unsafe String(cString: field.pointee.name)
        let member = CNames.member(name)
        if member != name { unsafe field.pointee.name = strdup(member) }
    }
}
