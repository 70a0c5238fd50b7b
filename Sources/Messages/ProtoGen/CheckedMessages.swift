internal import ProtoSchema

/// The messages for which a check is generated: those of requests that have rules, or a message that has.
struct CheckedMessages {
    private let schema: Schema
    /// Their full names.
    private(set) var names: Set<String> = []

    init(_ schema: Schema) {
        self.schema = schema
        var reached: Set<String> = []
        var open = schema.services.values.flatMap(\.methods).map(\.input)
        while let name = open.popLast() {
            guard reached.insert(name).inserted, let message = schema.messages[name] else { continue }
            open += message.fields.compactMap(\.messageName)
        }
        names = reached.filter(hasRules)
    }

    private func hasRules(_ name: String) -> Bool {
        schema.messages[name]?.fields.contains { field in
            field.hasRule || field.messageName.map(hasRules) ?? false
        } ?? false
    }

    /// What a request misses that has not this message: the fields that it needs.
    func needed(_ name: String) -> String {
        let fields = schema.messages[name]?.fields.filter { !$0.isAnswered } ?? []
        let required = fields.filter(\.isRequired)
        let names = (required.isEmpty ? fields : required).map { field in
            "aeiou".utf8.contains(field.name.utf8.first ?? 0) ? "an \(field.name)" : "a \(field.name)"
        }
        return "\(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are")"
    }
}

extension FieldSchema {
    /// The full name of the message that it has.
    var messageName: String? { if case .message(let name) = type { name } else { nil } }

    /// Whether one of its options is checked.
    var hasRule: Bool {
        let hasRange = range.map { !$0.isBySetting } ?? false
        return hasRange || length != nil || form != nil || isAnswered || isCheckedForPresence
    }

    /// Whether its absence is noticed: a number or an enum has always a value, whose range says what it may be.
    var isCheckedForPresence: Bool {
        switch type {
        case .message, .string, .bytes: isRequired
        default: isRequired && isRepeated
        }
    }
}
