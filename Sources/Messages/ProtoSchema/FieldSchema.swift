package import FieldRules

/// One field of a message.
package struct FieldSchema: Sendable {
    /// As the .proto has it: "maximum_calls".
    package var name: String
    /// As canonical JSON has it: "maximumCalls".
    package var jsonName: String
    /// The tag on the wire.
    package var number: Int
    /// Type of the value, or of each value of a list.
    package var type: FieldType
    /// How often it may be there.
    package var label: FieldLabel
    /// Index into the message's oneofs, synthetic ones included.
    package var oneofIndex: Int?
    /// Declared `optional` in proto3.
    package var isProto3Optional = false
    /// Full name of the extended message, for an extension field.
    package var extendee: String?
    /// Whether the file says [packed = false].
    package var isExplicitlyUnpacked = false
    /// What its option (waymark.rpc.v1.range) says.
    package var range: FieldRange?
    /// What its option (waymark.rpc.v1.length) says: of a text in characters, of a list in entries.
    package var length: FieldLength?
    /// What its option (waymark.rpc.v1.form) says: how a text is written, or each one of a list.
    package var form: FieldForm?
    /// Whether a request without it is refused: the option (waymark.rpc.v1.required).
    package var isRequired = false
    /// What its option (waymark.rpc.v1.needed) says: what a request without it misses, in words.
    package var needed = ""
    /// Whether only answers have it: the option (waymark.rpc.v1.answered).
    package var isAnswered = false
    /// Numbers of options that were set and that we don't know.
    package var unknownOptions: [Int] = []
    /// The comment above it, without its slashes; at its end what the range says.
    package var comment = ""

    /// Whether it is a list.
    package var isRepeated: Bool { label == .repeated }
    /// A real member of a oneof, not just `optional`.
    package var isOneofMember: Bool { oneofIndex != nil && !isProto3Optional }
}

/// How often a field may be there.
package enum FieldLabel: Sendable { case optional, required, repeated }

/// Type of a field's value. Messages and enums carry their full name, without a leading dot.
package enum FieldType: Sendable, Hashable {
    case double, float, int32, int64, uint32, uint64, bool, string, bytes
    case message(String), `enum`(String)
    case sint32, sint64, fixed32, fixed64, sfixed32, sfixed64, group

    /// The .proto spelling, for sentences.
    package var spelling: String {
        switch self {
        case .double: "double"
        case .float: "float"
        case .int32: "int32"
        case .int64: "int64"
        case .uint32: "uint32"
        case .uint64: "uint64"
        case .bool: "bool"
        case .string: "string"
        case .bytes: "bytes"
        case .message(let name), .enum(let name): name
        case .sint32: "sint32"
        case .sint64: "sint64"
        case .fixed32: "fixed32"
        case .fixed64: "fixed64"
        case .sfixed32: "sfixed32"
        case .sfixed64: "sfixed64"
        case .group: "group"
        }
    }
}
