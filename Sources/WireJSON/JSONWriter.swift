internal import CProtobufC
internal import FoundationEssentials
internal import ProtoSchema
internal import Wire

/// Says protobuf-c's C structs in JSON, value by value into the encoder.
struct JSONWriter {
    let plans: MessagePlans
    let arena: Arena

    func json(_ plan: MessagePlan, _ message: UnsafeRawPointer, _ options: WireJSONOptions) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        if options.contains(.pretty) { encoder.outputFormatting.insert(.prettyPrinted) }
        if options.contains(.sorted) { encoder.outputFormatting.insert(.sortedKeys) }
        return try unsafe Array(encoder.encode(MessageValue(writer: self, plan: plan, pointer: message)))
    }
}

/// A message to be encoded.
@safe
private struct MessageValue: Encodable {
    let writer: JSONWriter
    let plan: MessagePlan
    let pointer: UnsafeRawPointer

    init(writer: JSONWriter, plan: MessagePlan, pointer: UnsafeRawPointer) {
        self.writer = writer
        self.plan = plan
        unsafe self.pointer = pointer
    }

    func encode(to encoder: any Encoder) throws {
        if let wellKnown = WellKnownType(plan.name) {
            var value = encoder.singleValueContainer()
            try value.encode(text(wellKnown, encoder))
            return
        }
        var members = encoder.container(keyedBy: MemberKey.self)
        for field in plan.fields {
            let key = MemberKey(stringValue: field.schema.jsonName)
            if field.schema.isRepeated {
                guard let (start, count) = unsafe list(field) else { continue }
                var elements = members.nestedUnkeyedContainer(forKey: key)
                for index in 0..<count {
                    let element = unsafe start + index * field.schema.type.cStride
                    try elements.encode(unsafe FieldValue(writer: writer, field: field, pointer: element))
                }
            } else if isPresent(field) {
                let value = unsafe FieldValue(writer: writer, field: field, pointer: pointer + field.offset)
                try members.encode(value, forKey: key)
            }
        }
    }

    private func text(_ type: WellKnownType, _ encoder: any Encoder) throws -> String {
        var value = WellKnownValue(seconds: 0, nanoseconds: 0)
        for field in plan.fields {
            let slot = unsafe pointer + field.offset
            switch field.schema.name {
            case "seconds": value.seconds = unsafe slot.load(as: Int64.self)
            default: value.nanoseconds = unsafe slot.load(as: Int32.self)
            }
        }
        guard let text = type.text(value) else {
            let path = FieldPath.text(encoder.codingPath)
            throw WireJSONError(
                .invalidValue(path: path),
                "\(path) has \(value.seconds) s and \(value.nanoseconds) ns; allowed: \(type.allowed)")
        }
        return text
    }

    /// Where a repeated field's values are, nil when there are none.
    private func list(_ field: FieldPlan) -> (UnsafeRawPointer, Int)? {
        let count = unsafe (pointer + field.quantifierOffset).load(as: Int.self)
        guard let start = unsafe (pointer + field.offset).load(as: UnsafeRawPointer?.self), count > 0 else {
            return nil
        }
        return unsafe (start, count)
    }

    private func isPresent(_ field: FieldPlan) -> Bool {
        if field.isInOneof {
            return unsafe (pointer + field.quantifierOffset).load(as: UInt32.self) == UInt32(field.schema.number)
        }
        let slot = unsafe pointer + field.offset
        return switch field.schema.type {
        case .double: unsafe slot.load(as: Double.self) != 0
        case .float: unsafe slot.load(as: Float.self) != 0
        case .string, .bytes: unsafe slot.load(as: ProtobufCBinaryData.self).len > 0
        case .message: unsafe slot.load(as: UnsafeRawPointer?.self) != nil
        default: unsafe field.schema.type.cStride == 8 ? slot.load(as: Int64.self) != 0 : slot.load(as: Int32.self) != 0
        }
    }
}

/// One value of a field to be encoded.
@safe
private struct FieldValue: Encodable {
    let writer: JSONWriter
    let field: FieldPlan
    let pointer: UnsafeRawPointer

    init(writer: JSONWriter, field: FieldPlan, pointer: UnsafeRawPointer) {
        self.writer = writer
        self.field = field
        unsafe self.pointer = pointer
    }

    func encode(to encoder: any Encoder) throws {
        if case .message(let name) = field.schema.type {
            guard let message = unsafe pointer.load(as: UnsafeRawPointer?.self) else { return }
            try unsafe MessageValue(writer: writer, plan: writer.plans.plan(name), pointer: message).encode(to: encoder)
            return
        }
        var value = encoder.singleValueContainer()
        switch field.schema.type {
        case .double: try encode(unsafe pointer.load(as: Double.self), in: &value)
        case .float: try encode(unsafe pointer.load(as: Float.self), in: &value)
        case .int64: try value.encode("\(unsafe pointer.load(as: Int64.self))")
        case .uint64: try value.encode("\(unsafe pointer.load(as: UInt64.self))")
        case .uint32: try value.encode(unsafe pointer.load(as: UInt32.self))
        case .bool: try value.encode(unsafe pointer.load(as: protobuf_c_boolean.self) != 0)
        case .string: try value.encode(string(encoder))
        case .bytes:
            try value.encode(Base64.encode(unsafe writer.arena.bytes(pointer.load(as: ProtobufCBinaryData.self))))
        case .enum: try encodeEnum(in: &value)
        default: try value.encode(unsafe pointer.load(as: Int32.self))
        }
    }

    private func string(_ encoder: any Encoder) throws -> String {
        let bytes = unsafe writer.arena.bytes(pointer.load(as: ProtobufCBinaryData.self))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let path = FieldPath.text(encoder.codingPath)
            throw WireJSONError(.invalidValue(path: path), "\(path) is not valid UTF-8; strings are UTF-8")
        }
        return text
    }

    private func encode<Value: BinaryFloatingPoint & Encodable>(
        _ number: Value, in value: inout any SingleValueEncodingContainer
    ) throws {
        if number.isNaN {
            try value.encode("NaN")
        } else if number.isInfinite {
            try value.encode(number < 0 ? "-Infinity" : "Infinity")
        } else {
            try value.encode(number)
        }
    }

    /// By its name; a number that this program does not know, as a number.
    private func encodeEnum(in value: inout any SingleValueEncodingContainer) throws {
        let number = unsafe pointer.load(as: Int32.self)
        if let known = field.enumeration?.values.first(where: { $0.number == number }) {
            try value.encode(known.name)
        } else {
            try value.encode(number)
        }
    }
}
