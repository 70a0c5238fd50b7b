internal import ProtoSchema

/// From C. Loops and calls name their types: generic functions of another module are not specialised for them.
extension BridgeText {
    func read(_ field: FieldSchema, in source: inout SourceText) {
        // `self.` throughout: a field may be called like a parameter.
        let name = "self.\(SwiftNames.member(field.name))"
        let member = "c.pointee.\(CNames.member(field.name))"
        let test = "unsafe c.pointee.\(CNames.oneofCase("_" + field.name)).rawValue == \(field.number)"
        switch field.type {
        case .message(let type) where field.isRepeated:
            readList(name, member, "c.pointee.n_\(CNames.member(field.name))", names.type(type), in: &source)
        case .message(let type):
            let condition = field.isProto3Optional ? "if \(test), " : "if "
            source.block("\(condition)let part = unsafe \(member)") { readPart(name, { $0 }, type, in: &$0) }
        case _ where field.isRepeated: source.line("\(name) = \(readRepeated(field, member))")
        case _ where field.isProto3Optional: source.line("if \(test) { \(name) = \(readOne(field, member)) }")
        default: source.line("\(name) = \(readOne(field, member))")
        }
    }

    func read(_ choice: Choice, in source: inout SourceText) {
        let name = "self.\(SwiftNames.member(choice.name))"
        source.line("switch unsafe c.pointee.\(CNames.oneofCase(choice.name)).rawValue {")
        for field in choice.fields {
            let member = "c.pointee.\(CNames.member(field.name))"
            let label = SwiftNames.member(field.name)
            source.line("case \(field.number):")
            source.indented { source in
                if case .message(let type) = field.type {
                    source.block("if let part = unsafe \(member)") { source in
                        readPart(name, { ".\(label)(\($0))" }, type, in: &source)
                    }
                } else {
                    source.line("\(name) = .\(label)(\(readOne(field, member)))")
                }
            }
        }
        source.line("default: break")
        source.line("}")
    }

    private func readList(
        _ name: String, _ member: String, _ count: String, _ type: String, in source: inout SourceText
    ) {
        source.block("if unsafe \(count) > 0") { source in
            source.line("try unsafe arena.reserve(\(count), bytesEach: MemoryLayout<\(type)>.stride)")
            source.line("unsafe \(name).reserveCapacity(\(count))")
            source.block("for index in unsafe 0..<\(count)") { source in
                source.line("guard let part = unsafe \(member)[index] else { continue }")
                source.line("\(name).append(\(type)())")
                source.line("try unsafe \(name)[\(name).count - 1].take(unpacked: part, in: arena)")
            }
        }
    }

    private func readPart(
        _ name: String, _ wrapped: (String) -> String, _ type: String, in source: inout SourceText
    ) {
        source.line("var message = \(names.type(type))()")
        source.line("try unsafe message.take(unpacked: part, in: arena)")
        source.line("\(name) = \(wrapped("message"))")
    }

    private func readOne(_ field: FieldSchema, _ member: String) -> String {
        switch field.type {
        case .bool: "unsafe \(member) != 0"
        case .string: "try unsafe arena.string(\(member), \"\(schema.fullName).\(field.name)\")"
        case .bytes: "unsafe arena.bytes(\(member))"
        case .enum(let name): "unsafe \(names.type(name))(rawValue: \(member))"
        default: "unsafe \(member)"
        }
    }

    private func readRepeated(_ field: FieldSchema, _ member: String) -> String {
        let list = "c.pointee.n_\(CNames.member(field.name)), \(member)"
        return switch field.type {
        case .bool: "try unsafe arena.bools(\(list))"
        case .string: "try unsafe arena.strings(\(list), \"\(schema.fullName).\(field.name)\")"
        case .bytes: "try unsafe arena.byteArrays(\(list))"
        case .enum: "try unsafe arena.enums(\(list))"
        default: "try unsafe arena.scalars(\(list))"
        }
    }
}
