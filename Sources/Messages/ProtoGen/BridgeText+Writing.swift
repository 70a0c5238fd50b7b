internal import ProtoSchema

/// To C.
extension BridgeText {
    func write(_ field: FieldSchema, in source: inout SourceText) {
        let name = "self.\(SwiftNames.member(field.name))"
        let member = "c.pointee.\(CNames.member(field.name))"
        switch field.type {
        case .message(let type) where field.isRepeated:
            writeList(name, member, "c.pointee.n_\(CNames.member(field.name))", type, in: &source)
        case _ where field.isRepeated:
            source.line("unsafe c.pointee.n_\(CNames.member(field.name)) = \(name).count")
            source.line("unsafe \(member) = arena.store(\(label(field.type)): \(name))")
        case _ where field.hasPresence:
            source.block("if let value = \(name)") { source in
                if field.isProto3Optional { setCase("_" + field.name, field, in: &source) }
                writeOne(field, member, "value", in: &source)
            }
        default: writeOne(field, member, name, in: &source)
        }
    }

    func write(_ choice: Choice, in source: inout SourceText) {
        source.line("switch self.\(SwiftNames.member(choice.name)) {")
        source.line("case nil: break")
        for field in choice.fields {
            source.line("case .\(SwiftNames.member(field.name))(let value):")
            source.indented { source in
                setCase(choice.name, field, in: &source)
                writeOne(field, "c.pointee.\(CNames.member(field.name))", "value", in: &source)
            }
        }
        source.line("}")
    }

    private func setCase(_ oneof: String, _ field: FieldSchema, in source: inout SourceText) {
        source.line("unsafe c.pointee.\(CNames.oneofCase(oneof)) = .init(rawValue: \(field.number))")
    }

    private func writeList(
        _ name: String, _ member: String, _ count: String, _ type: String, in source: inout SourceText
    ) {
        let pointer = "UnsafeMutablePointer<\(CNames.structure(type))>?"
        source.block("if !\(name).isEmpty") { source in
            source.line("let parts = unsafe arena.room(\(name).count * MemoryLayout<\(pointer)>.stride)")
            source.line("unsafe \(count) = \(name).count")
            source.line("unsafe \(member) = parts.assumingMemoryBound(to: \(pointer).self)")
            source.block("for index in \(name).indices") { source in
                writePart("\(member)[index]", "\(name)[index]", type, in: &source)
            }
        }
    }

    private func writePart(_ member: String, _ value: String, _ type: String, in source: inout SourceText) {
        let structure = CNames.structure(type)
        source.line("let part = unsafe arena.room(MemoryLayout<\(structure)>.size)")
        source.line("unsafe \(value).store(to: part, in: arena)")
        source.line("unsafe \(member) = part.assumingMemoryBound(to: \(structure).self)")
    }

    private func writeOne(_ field: FieldSchema, _ member: String, _ value: String, in source: inout SourceText) {
        switch field.type {
        case .message(let type): writePart(member, value, type, in: &source)
        case .bool: source.line("unsafe \(member) = \(value) ? 1 : 0")
        case .string, .bytes: source.line("unsafe \(member) = arena.store(\(value))")
        case .enum: source.line("unsafe \(member) = \(value).rawValue")
        default: source.line("unsafe \(member) = \(value)")
        }
    }

    private func label(_ type: FieldType) -> String {
        switch type {
        case .bool: "bools"
        case .string: "strings"
        case .bytes: "byteArrays"
        case .enum: "enums"
        default: "scalars"
        }
    }
}
