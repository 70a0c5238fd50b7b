internal import ProtoSchema

/// A stored property of a generated struct.
struct Property {
    let name: String
    let type: String
    /// The default: what a message has that does not carry the field.
    let initial: String
    let comment: String
}

/// A real oneof with its fields.
struct Choice {
    let name: String
    let comment: String
    let fields: [FieldSchema]
}

extension MessageSchema {
    /// The real oneofs.
    var choices: [Choice] {
        oneofs.enumerated().filter { !$0.element.isSynthetic }.map { index, oneof in
            Choice(name: oneof.name, comment: oneof.comment, fields: fields.filter { $0.oneofIndex == index })
        }
    }

    /// One property for each field, and one for each oneof at the position of its first field.
    func properties(_ names: SwiftNames) -> [Property] {
        var seen: Set<Int> = []
        return fields.compactMap { field in
            guard field.isOneofMember, let index = field.oneofIndex else { return field.property(names) }
            guard seen.insert(index).inserted else { return nil }
            let oneof = oneofs[index]
            return Property(
                name: SwiftNames.member(oneof.name), type: "\(SwiftNames.upperCamel(oneof.name))?", initial: "nil",
                comment: oneof.comment)
        }
    }
}

extension FieldSchema {
    fileprivate func property(_ names: SwiftNames) -> Property {
        let element = names.type(type)
        let isOptional = hasPresence
        return Property(
            name: SwiftNames.member(name), type: isRepeated ? "[\(element)]" : isOptional ? "\(element)?" : element,
            initial: isRepeated ? "[]" : isOptional ? "nil" : type.zero(element), comment: comment)
    }

    /// Whether being absent differs from being zero. Fields of a oneof are not asked.
    var hasPresence: Bool {
        if case .message = type { return !isRepeated }
        return isProto3Optional
    }
}

extension FieldType {
    fileprivate func zero(_ name: String) -> String {
        switch self {
        case .bool: "false"
        case .string: "\"\""
        case .bytes: "[]"
        case .enum: "\(name)(rawValue: 0)"
        default: "0"
        }
    }
}
