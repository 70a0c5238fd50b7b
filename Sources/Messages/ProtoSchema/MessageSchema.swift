/// One message type.
package struct MessageSchema: Sendable {
    /// Without package and outer messages.
    package var name: String
    /// With package and outer messages: "waymark.rpc.v1.EchoRequest".
    package var fullName: String
    /// In the order of the file.
    package var fields: [FieldSchema] = []
    /// Oneofs, with those at the end that protoc made up.
    package var oneofs: [OneofSchema] = []
    /// Messages declared inside it.
    package var messages: [MessageSchema] = []
    /// Enums declared inside it.
    package var enums: [EnumSchema] = []
    /// Extension fields declared inside the message.
    package var extensions: [FieldSchema] = []
    /// Made up by protoc for a map field.
    package var isMapEntry = false
    /// The comment above it, without its slashes; empty when there is none.
    package var comment = ""

    /// The message itself and all that are declared in it, outermost first.
    package var withNested: [MessageSchema] { [self] + messages.flatMap(\.withNested) }
}

/// A `oneof` of a message, or the one-field oneof that represents `optional`.
package struct OneofSchema: Sendable {
    /// As the .proto has it; "_field" when made up.
    package var name: String
    /// The comment above it, without its slashes.
    package var comment = ""
    /// Whether protoc made it up for an `optional` field.
    package var isSynthetic = false
}

/// One enum type.
package struct EnumSchema: Sendable {
    /// As the .proto has it.
    package var name: String
    /// With package and outer messages.
    package var fullName: String
    /// In the order of the file.
    package var values: [EnumValueSchema] = []
    /// Whether two names may share a number.
    package var allowsAlias = false
    /// The comment above it, without its slashes.
    package var comment = ""
}

/// One named number of an enum.
package struct EnumValueSchema: Sendable {
    /// As the .proto has it: "SHADE_LIGHT".
    package var name: String
    /// The number on the wire.
    package var number: Int32
    /// The comment above it, without its slashes.
    package var comment = ""
}
