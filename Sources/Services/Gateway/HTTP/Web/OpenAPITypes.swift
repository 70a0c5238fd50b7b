import Bytes
import FieldRules
import ProtoSchema

/// Messages and their fields as JSON Schema, by protobuf's canonical JSON
/// (https://protobuf.dev/programming-guides/json/).
///
/// What a client sends may be written in more ways than what it gets, so a message that is part of a request is
/// described differently from one that only answers have:
/// - `null` is a field that is not given, as in all of proto3's JSON; so each field of a request may be null, but for
///   those that are required and the entries of lists. An answer has no null.
/// - Numbers may be texts, and numbers of 64 bits, which answers have as texts, may be numbers.
/// - Members that are not known are refused. Answers may get new ones. The names of the .proto (`radius_m`) are read as
///   well as those here (`radiusM`); they are not repeated in the schemas.
struct OpenAPITypes {
    let schema: Schema
    /// The full names of the messages that requests are made of.
    let asked: Set<String>

    func message(_ message: MessageSchema) -> JSONTree {
        let isAsked = asked.contains(message.fullName)
        var tree: [String: JSONTree] = ["type": .text("object"), "description": .text(message.comment)]
        let members = message.fields.map { ($0.jsonName, property($0, isAsked: isAsked)) }
        tree["properties"] = .object(Dictionary(members) { first, _ in first })
        let required = message.fields.filter(Self.isNeeded).map { JSONTree.text($0.jsonName) }
        if !required.isEmpty { tree["required"] = .list(required) }
        if isAsked { tree["additionalProperties"] = .flag(false) }
        let choices = message.oneofs.indices.filter { !message.oneofs[$0].isSynthetic }
        let rules = choices.flatMap { index in atMostOne(message.fields.filter { $0.oneofIndex == index }) }
        if !rules.isEmpty { tree["allOf"] = .list(rules) }
        return .object(tree)
    }

    func enumeration(_ values: EnumSchema) -> JSONTree {
        let lines = values.values.map { "\($0.name): \($0.comment)" }
        return .object([
            "type": .text("string"), "enum": .list(values.values.map { .text($0.name) }),
            "description": .text(([values.comment] + lines).joined(separator: "\n")),
        ])
    }

    /// The message or enum that is the type of a field and has a schema of its own.
    static func named(_ type: FieldType) -> String? {
        switch type {
        case .message(let name) where name.begins(with: "google.protobuf."): nil
        case .message(let name), .enum(let name): name
        default: nil
        }
    }

    /// Whether a message without the field is refused: it is required, or it counts as 0 then, which is out of range.
    static func isNeeded(_ field: FieldSchema) -> Bool {
        if field.isRequired { return true }
        guard let range = field.range, !field.isProto3Optional, named(field.type) == nil else { return false }
        return range.whenAbsent == nil && range.minimum > 0
    }

    /// No two members of a oneof.
    private func atMostOne(_ fields: [FieldSchema]) -> [JSONTree] {
        fields.indices.flatMap { second in
            fields[..<second].map { first in
                let both = [first, fields[second]].map { JSONTree.text($0.jsonName) }
                return .object(["not": .object(["required": .list(both)])])
            }
        }
    }

    // MARK: fields

    private func property(_ field: FieldSchema, isAsked: Bool) -> JSONTree {
        var tree = value(field, isAsked: isAsked)
        if field.isRepeated {
            tree = ["type": .text("array"), "items": .object(tree)]
            if let length = field.length {
                tree["minItems"] = .number(Int128(length.minimum))
                tree["maxItems"] = .number(Int128(length.maximum))
            }
        }
        if isAsked, !Self.isNeeded(field) { tree = Self.orNull(tree) }
        if !field.comment.isEmpty { tree["description"] = .text(field.comment) }
        if isAsked, field.isAnswered { tree["readOnly"] = .flag(true) }
        return .object(tree)
    }

    private static func orNull(_ tree: [String: JSONTree]) -> [String: JSONTree] {
        var tree = tree
        switch tree["type"] {
        case .text(let type): tree["type"] = .list([.text(type), .text("null")])
        case .list(let types): tree["type"] = .list(types + [.text("null")])
        default: tree = ["anyOf": .list([.object(tree), .object(["type": .text("null")])])]
        }
        return tree
    }

    private func value(_ field: FieldSchema, isAsked: Bool) -> [String: JSONTree] {
        switch field.type {
        case .double, .float: isAsked ? OpenAPINumbers.real(field.range) : ["type": .text("number")]
        case .int32, .sint32, .sfixed32:
            OpenAPINumbers.whole(field.range, Int128(Int32.min)...Int128(Int32.max), isAsked, "int32")
        case .uint32, .fixed32: OpenAPINumbers.whole(field.range, 0...Int128(UInt32.max), isAsked, "uint32")
        case .int64, .sint64, .sfixed64:
            OpenAPINumbers.large(field.range, Int128(Int64.min)...Int128(Int64.max), isAsked, "int64")
        case .uint64, .fixed64: OpenAPINumbers.large(field.range, 0...Int128(UInt64.max), isAsked, "uint64")
        case .bool: ["type": .text("boolean")]
        case .string, .group: text(field)
        case .bytes: OpenAPINumbers.base64(field.isRepeated ? nil : field.length, isRequired: field.isRequired)
        case .message("google.protobuf.Timestamp"): OpenAPINumbers.time
        case .message("google.protobuf.Duration"): OpenAPINumbers.duration(field.range)
        case .message(let name): ["$ref": .text("#/components/schemas/\(name)")]
        case .enum(let name): isAsked ? choice(name) : ["$ref": .text("#/components/schemas/\(name)")]
        }
    }

    /// The name of a value, or its number.
    private func choice(_ name: String) -> [String: JSONTree] {
        let numbers = (schema.enums[name]?.values ?? []).map { JSONTree.number(Int128($0.number)) }
        return [
            "anyOf": .list([
                .object(["$ref": .text("#/components/schemas/\(name)")]),
                .object(["type": .text("integer"), "enum": .list(numbers)]),
            ])
        ]
    }

    private func text(_ field: FieldSchema) -> [String: JSONTree] {
        var tree: [String: JSONTree] = ["type": .text("string")]
        if let length = field.length, !field.isRepeated {
            tree["minLength"] = .number(Int128(length.minimum))
            tree["maxLength"] = .number(Int128(length.maximum))
        } else if field.isRequired, !field.isRepeated {
            tree["minLength"] = .number(1)
        }
        if let form = field.form {
            // A field that need not be there may be empty: that is the same.
            let mayBeEmpty = !field.isRepeated && !field.isRequired
            tree["pattern"] = .text("^(?:\(form.rule.pattern))\(mayBeEmpty ? "?" : "")$")
        }
        return tree
    }
}
