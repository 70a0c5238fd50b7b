internal import ProtoSchema

extension Refusals {
    func check(_ message: MessageSchema, _ file: FileSchema) throws(GenerationError) {
        guard message.name.first?.isUppercase == true, message.name.allSatisfy(\.isASCIIAlphanumeric) else {
            throw refusal(file, message.fullName, "message names are UpperCamelCase")
        }
        for oneof in message.oneofs where !oneof.isSynthetic && !oneof.name.isLowerSnake {
            throw refusal(file, "\(message.fullName).\(oneof.name)", "oneof names are lower_snake_case")
        }
        for field in message.fields { try check(field, message, file) }
        try checkMembers(message, file)
        try checkRecursion(message, file)
    }

    private func check(_ field: FieldSchema, _ message: MessageSchema, _ file: FileSchema) throws(GenerationError) {
        let name = "\(message.fullName).\(field.name)"
        guard field.name.isLowerSnake else { throw refusal(file, name, "field names are lower_snake_case") }
        guard !["self", "init"].contains(field.name) else {
            throw refusal(file, name, "a field may not be called self or init, which mean something in Swift")
        }
        guard !field.isExplicitlyUnpacked else { throw refusal(file, name, "[packed = false] is not generated") }
        if let number = field.unknownOptions.first {
            throw refusal(file, name, "field option \(number) is not known; ours are those of (waymark.rpc.v1)")
        }
        if let range = field.range { try check(range, field, name, file) }
        if let length = field.length { try check(length, field, name, file) }
        if field.form != nil, field.type != .string {
            throw refusal(file, name, "a form is for a string")
        }
        // An optional one is needed where it is given and says nothing.
        if !field.needed.isEmpty, !field.isRequired, !field.hasPresence {
            throw refusal(file, name, "what is needed is said of a required field")
        }
        if field.hasRule, field.isOneofMember {
            throw refusal(file, name, "a rule is for a field outside of a oneof")
        }
        switch field.type {
        case .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64:
            throw refusal(
                file, name,
                "\(field.type.spelling) is not generated; use int32, int64, uint32, uint64, float or double")
        case .group:
            throw refusal(file, name, "groups are not generated; use a message")
        case .message(let type) where schema.messages[type]?.isMapEntry == true:
            throw refusal(file, name, "map fields are not generated; use a repeated message with key and value")
        case .message(let type) where type.hasPrefix("google.protobuf."):
            guard ["google.protobuf.Duration", "google.protobuf.Timestamp"].contains(type) else {
                throw refusal(
                    file, name, "\(type) is not generated; of the well-known types only Duration and Timestamp are")
            }
        default: break
        }
    }

    private func check(
        _ range: FieldRange, _ field: FieldSchema, _ name: String, _ file: FileSchema
    ) throws(GenerationError) {
        let limits: ClosedRange<Double>?
        switch field.type {
        case .double: limits = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        case .int32: limits = Double(Int32.min)...Double(Int32.max)
        case .uint32: limits = 0...Double(UInt32.max)
        // Beyond, a double misses numbers.
        case .uint64: limits = 0...0x1p53
        case .message("google.protobuf.Duration"): limits = 0...315_576_000_000
        default: limits = nil
        }
        guard let limits, !field.isRepeated, !field.isOneofMember else {
            throw refusal(
                file, name,
                "a range is for a double, int32, uint32, uint64 or Duration, neither repeated nor in a oneof")
        }
        if field.type == .message("google.protobuf.Duration"), range.allowed.isEmpty {
            throw refusal(file, name, "the range of a Duration needs words: allowed: \"1 minute to 10 years are\"")
        }
        let numbers = [range.minimum, range.whenAbsent ?? range.minimum, range.maximum]
        // Durations have whole milliseconds.
        let parts = field.type == .message("google.protobuf.Duration") ? numbers.map { $0 * 1000 } : numbers
        let isWhole = field.type == .double || parts.allSatisfy { $0 == $0.rounded() }
        guard numbers[0] <= numbers[1], numbers[1] <= numbers[2], isWhole, numbers.allSatisfy(limits.contains) else {
            throw refusal(file, name, "its range needs min <= default <= max, each a number that the field can have")
        }
    }

    private func check(
        _ length: FieldLength, _ field: FieldSchema, _ name: String, _ file: FileSchema
    ) throws(GenerationError) {
        guard field.isRepeated || [.string, .bytes].contains(field.type) else {
            throw refusal(file, name, "a length is for a string, for bytes or for a list")
        }
        guard length.minimum <= length.maximum, length.maximum > 0 else {
            throw refusal(file, name, "its length needs min <= max, and a max")
        }
    }

    /// Two members of one struct with the same name compile neither in C nor in Swift.
    private func checkMembers(_ message: MessageSchema, _ file: FileSchema) throws(GenerationError) {
        var swift: Set<String> = []
        var c: Set<String> = ["base"]
        for field in message.fields {
            let name = "\(message.fullName).\(field.name)"
            guard swift.insert(SwiftNames.member(field.name)).inserted else {
                throw refusal(file, name, "another field or oneof is called \(SwiftNames.member(field.name)) in Swift")
            }
            let member = CNames.member(field.name)
            for part in field.isRepeated ? [member, "n_\(member)"] : [member] where !c.insert(part).inserted {
                throw refusal(file, name, "another member is called \(part) in protobuf-c's struct")
            }
        }
        for oneof in message.oneofs {
            let name = "\(message.fullName).\(oneof.name)"
            if !oneof.isSynthetic, !swift.insert(SwiftNames.member(oneof.name)).inserted {
                throw refusal(file, name, "a field is called \(SwiftNames.member(oneof.name)) in Swift too")
            }
            guard c.insert(CNames.oneofCase(oneof.name)).inserted else {
                throw refusal(
                    file, name, "a field is called \(CNames.oneofCase(oneof.name)) in protobuf-c's struct too")
            }
        }
    }

    /// protobuf-c unpacks nested messages by recursion without a limit, so no type may lead back to itself.
    private func checkRecursion(_ message: MessageSchema, _ file: FileSchema) throws(GenerationError) {
        var seen: Set<String> = []
        var open = [(message.fullName, [message.name])]
        while let (name, path) = open.popLast() {
            for case .message(let next) in schema.messages[name]?.fields.map(\.type) ?? [] {
                if next == message.fullName {
                    let route = (path + [message.name]).joined(separator: " → ")
                    throw refusal(file, message.fullName, "a message may not contain itself (\(route))")
                }
                if seen.insert(next).inserted { open.append((next, path + [schema.messages[next]?.name ?? next])) }
            }
        }
    }
}
