import ProtoSchema

/// Messages and their fields as JSON Schema, by protobuf's canonical JSON
/// (https://protobuf.dev/programming-guides/json/).
enum OpenAPITypes {
    static func message(_ message: MessageSchema) -> JSONTree {
        switch message.fullName {
        case "google.protobuf.Timestamp": return .object(["type": .text("string"), "format": .text("date-time")])
        case "google.protobuf.Duration":
            return .object(["type": .text("string"), "pattern": .text(#"^-?[0-9]+(\.[0-9]{1,9})?s$"#)])
        default: break
        }
        let members = message.fields.map { ($0.jsonName, property($0)) }
        return .object([
            "type": .text("object"), "description": .text(message.comment),
            "properties": .object(Dictionary(members) { first, _ in first }),
        ])
    }

    static func enumeration(_ values: EnumSchema) -> JSONTree {
        let lines = values.values.map { "\($0.name): \($0.comment)" }
        return .object([
            "type": .text("string"), "enum": .list(values.values.map { .text($0.name) }),
            "description": .text(([values.comment] + lines).joined(separator: "\n")),
        ])
    }

    /// The message or enum that is the type of a field.
    static func named(_ type: FieldType) -> String? {
        switch type {
        case .message(let name), .enum(let name): name
        default: nil
        }
    }

    private static func property(_ field: FieldSchema) -> JSONTree {
        let value = value(field.type)
        guard field.isRepeated else { return .object(value.merging(describe(field)) { _, own in own }) }
        return .object(
            ["type": .text("array"), "items": .object(value)].merging(describe(field)) { first, _ in first })
    }

    private static func describe(_ field: FieldSchema) -> [String: JSONTree] {
        var schema: [String: JSONTree] = field.comment.isEmpty ? [:] : ["description": .text(field.comment)]
        if let range = field.range {
            schema["minimum"] = .real(range.minimum)
            schema["maximum"] = .real(range.maximum)
            if let whenAbsent = range.whenAbsent { schema["default"] = .real(whenAbsent) }
        }
        return schema
    }

    private static func value(_ type: FieldType) -> [String: JSONTree] {
        switch type {
        case .double, .float: ["type": .list([.text("number"), .text("string")])]
        case .int32, .sint32, .sfixed32: ["type": .text("integer"), "format": .text("int32")]
        case .uint32, .fixed32: ["type": .text("integer"), "minimum": .number(0)]
        case .int64, .sint64, .sfixed64: ["type": .text("string"), "format": .text("int64")]
        case .uint64, .fixed64: ["type": .text("string"), "format": .text("uint64")]
        case .bool: ["type": .text("boolean")]
        case .string, .group: ["type": .text("string")]
        case .bytes: ["type": .text("string"), "contentEncoding": .text("base64")]
        case .message(let name), .enum(let name): ["$ref": .text("#/components/schemas/\(name)")]
        }
    }
}
