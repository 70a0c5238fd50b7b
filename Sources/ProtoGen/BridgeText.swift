internal import ProtoSchema

/// The conversion between a generated Swift struct and protobuf-c's C struct of the same message.
struct BridgeText {
    let schema: MessageSchema
    let names: SwiftNames

    init(_ schema: MessageSchema, names: SwiftNames) {
        self.schema = schema
        self.names = names
    }

    func declare(in source: inout SourceText) {
        let structure = CNames.structure(schema.fullName)
        let function = CNames.function(schema.fullName)
        source.block("extension \(names.type(schema.fullName))") { source in
            source.line("package static var protoName: String { \"\(schema.fullName)\" }")
            source.line("package static var layout: MessageLayout { unsafe MessageLayout(\(function)__layout()) }")
            source.line()
            let parameters = "unpacked source: UnsafeRawPointer, in arena: Arena"
            source.block("package mutating func take(\(parameters)) throws(WireError)") { source in
                guard !schema.fields.isEmpty else { return }
                source.line("let c = unsafe source.assumingMemoryBound(to: \(structure).self)")
                for field in schema.fields where !field.isOneofMember { read(field, in: &source) }
                for choice in schema.choices { read(choice, in: &source) }
            }
            source.line()
            source.block("package func store(to target: UnsafeMutableRawPointer, in arena: PackingArena)") { source in
                source.line("let c = unsafe target.assumingMemoryBound(to: \(structure).self)")
                source.line("unsafe \(function)__init(c)")
                for field in schema.fields where !field.isOneofMember { write(field, in: &source) }
                for choice in schema.choices { write(choice, in: &source) }
            }
        }
    }
}
