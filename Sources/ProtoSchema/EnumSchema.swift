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
