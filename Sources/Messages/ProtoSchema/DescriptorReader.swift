internal import CDescriptors

/// Reads the declarations of one file. The numbers in the paths are descriptor.proto's field numbers.
struct DescriptorReader {
    let comments: Comments

    func message(
        _ source: UnsafePointer<Google__Protobuf__DescriptorProto>, scope: String, path: [Int32]
    ) -> MessageSchema {
        let name = unsafe text(source.pointee.name)
        var message = MessageSchema(name: name, fullName: joined(scope, name), comment: comments[path])
        message.fields = unsafe list(source.pointee.field, source.pointee.n_field) {
            unsafe field($0, path: path + [2, $1])
        }
        message.oneofs = unsafe list(source.pointee.oneof_decl, source.pointee.n_oneof_decl) {
            unsafe OneofSchema(name: text($0.pointee.name), comment: comments[path + [8, $1]])
        }
        for field in message.fields where field.isProto3Optional {
            // Descriptors of another program may be wrong.
            if let index = field.oneofIndex, message.oneofs.indices.contains(index) {
                message.oneofs[index].isSynthetic = true
            }
        }
        message.messages = unsafe list(source.pointee.nested_type, source.pointee.n_nested_type) {
            unsafe self.message($0, scope: message.fullName, path: path + [3, $1])
        }
        message.enums = unsafe list(source.pointee.enum_type, source.pointee.n_enum_type) {
            unsafe enumeration($0, scope: message.fullName, path: path + [4, $1])
        }
        message.extensions = unsafe list(source.pointee.extension, source.pointee.n_extension) {
            unsafe field($0, path: path + [6, $1])
        }
        message.isMapEntry = unsafe source.pointee.options?.pointee.map_entry == 1
        return message
    }

    func field(
        _ source: UnsafePointer<Google__Protobuf__FieldDescriptorProto>, path: [Int32]
    ) -> FieldSchema {
        var field = unsafe FieldSchema(
            name: text(source.pointee.name), jsonName: text(source.pointee.json_name),
            number: Int(source.pointee.number), type: FieldType(source), label: FieldLabel(source.pointee.label),
            comment: comments[path])
        field.oneofIndex = unsafe source.pointee.has_oneof_index != 0 ? Int(source.pointee.oneof_index) : nil
        field.isProto3Optional = unsafe source.pointee.proto3_optional != 0
        field.extendee = unsafe source.pointee.extendee == nil ? nil : undotted(text(source.pointee.extendee))
        if let options = unsafe source.pointee.options { unsafe field.read(options) }
        return field
    }

    func enumeration(
        _ source: UnsafePointer<Google__Protobuf__EnumDescriptorProto>, scope: String, path: [Int32]
    ) -> EnumSchema {
        let name = unsafe text(source.pointee.name)
        var result = EnumSchema(name: name, fullName: joined(scope, name), comment: comments[path])
        result.values = unsafe list(source.pointee.value, source.pointee.n_value) {
            unsafe EnumValueSchema(
                name: text($0.pointee.name), number: $0.pointee.number, comment: comments[path + [2, $1]])
        }
        result.allowsAlias = unsafe source.pointee.options?.pointee.allow_alias == 1
        return result
    }
}
