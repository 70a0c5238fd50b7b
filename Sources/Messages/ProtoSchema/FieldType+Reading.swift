internal import CDescriptors

extension FieldType {
    /// The cases are the numbers of google.protobuf.FieldDescriptorProto.Type.
    init(_ field: UnsafePointer<Google__Protobuf__FieldDescriptorProto>) {
        let name = unsafe undotted(text(field.pointee.type_name))
        self =
            switch unsafe field.pointee.type.rawValue {
            case 1: .double
            case 2: .float
            case 3: .int64
            case 4: .uint64
            case 5: .int32
            case 6: .fixed64
            case 7: .fixed32
            case 8: .bool
            case 9: .string
            case 11: .message(name)
            case 12: .bytes
            case 13: .uint32
            case 14: .enum(name)
            case 15: .sfixed32
            case 16: .sfixed64
            case 17: .sint32
            case 18: .sint64
            default: .group
            }
    }
}

extension FieldLabel {
    /// The cases are the numbers of google.protobuf.FieldDescriptorProto.Label.
    init(_ label: Google__Protobuf__FieldDescriptorProto__Label) {
        self =
            switch label.rawValue {
            case 2: .required
            case 3: .repeated
            default: .optional
            }
    }
}

/// A C string, empty when there is none.
func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
}

/// Descriptors write full names with a leading dot.
func undotted(_ name: String) -> String { name.first == "." ? String(name.dropFirst()) : name }

/// A full name out of the name of what surrounds it.
func joined(_ scope: String, _ name: String) -> String { scope.isEmpty ? name : "\(scope).\(name)" }

/// Maps one of protobuf-c's arrays of pointers, with each element's index.
func list<Element, Value>(
    _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?, _ count: Int,
    _ transform: (UnsafePointer<Element>, Int32) -> Value
) -> [Value] {
    (0..<count).compactMap { index in
        unsafe pointers?[index].map { unsafe transform($0, Int32(index)) }
    }
}
