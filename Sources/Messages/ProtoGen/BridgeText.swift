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
                source.line("unsafe Self.layout.initialize(target)")
                guard !schema.fields.isEmpty else { return }
                source.line("let c = unsafe target.assumingMemoryBound(to: \(structure).self)")
                for field in schema.fields where !field.isOneofMember { write(field, in: &source) }
                for choice in schema.choices { write(choice, in: &source) }
            }
        }
    }
}

/// One field of a packed message, where it lies.
struct PackedField {
    let number: UInt64
    /// The tag and, where there is one, the length.
    let head: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
}

extension ArraySlice<UInt8> {
    /// The fields of a packed message in their order. It is one that we have packed ourselves, so nothing is cut off.
    var fields: [PackedField] {
        var rest = self
        var fields: [PackedField] = []
        while !rest.isEmpty {
            let start = rest.startIndex
            let tag = rest.popVarint()
            let length =
                switch tag & 7 {
                case 0: rest.prefix { $0 >= 0x80 }.count + 1
                case 1: 8
                case 5: 4
                default: Int(rest.popVarint())
                }
            fields.append(
                PackedField(number: tag >> 3, head: self[start..<rest.startIndex], value: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return fields
    }

    private mutating func popVarint() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = popFirst() {
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return number
    }
}
