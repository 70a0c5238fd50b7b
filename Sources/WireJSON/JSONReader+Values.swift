internal import CProtobufC
internal import FoundationEssentials
internal import ProtoSchema
internal import Wire

extension FieldType {
    /// Bytes from one value to the next in protobuf-c's arrays.
    var cStride: Int {
        switch self {
        case .string, .bytes: unsafe MemoryLayout<ProtobufCBinaryData>.stride
        case .message: unsafe MemoryLayout<UnsafeMutableRawPointer>.stride
        case .double, .int64, .uint64, .sint64, .fixed64, .sfixed64: 8
        case .bool, .enum, .float, .int32, .uint32, .sint32, .fixed32, .sfixed32, .group: 4
        }
    }
}

extension JSONReader {
    /// Stores one value of the field where protobuf-c expects it.
    func store(_ field: FieldPlan, at slot: UnsafeMutableRawPointer, _ decoder: any Decoder) throws {
        let type = field.schema.type
        switch type {
        case .double: unsafe slot.storeBytes(of: try double(decoder), as: Double.self)
        case .float: unsafe slot.storeBytes(of: try float(decoder), as: Float.self)
        case .int32: unsafe slot.storeBytes(of: try integer(decoder), as: Int32.self)
        case .int64: unsafe slot.storeBytes(of: try integer(decoder), as: Int64.self)
        case .uint32: unsafe slot.storeBytes(of: try integer(decoder), as: UInt32.self)
        case .uint64: unsafe slot.storeBytes(of: try integer(decoder), as: UInt64.self)
        case .bool: unsafe slot.storeBytes(of: try bool(decoder) ? 1 : 0, as: protobuf_c_boolean.self)
        case .enum: unsafe slot.storeBytes(of: try number(of: field, decoder), as: Int32.self)
        case .string:
            let data = try unsafe data(Array(string(decoder).utf8), decoder)
            unsafe slot.storeBytes(of: data, as: ProtobufCBinaryData.self)
        case .bytes:
            let data = try unsafe data(bytes(decoder), decoder)
            unsafe slot.storeBytes(of: data, as: ProtobufCBinaryData.self)
        case .message(let name):
            let pointer = try unsafe message(plans.plan(name), decoder)
            unsafe slot.storeBytes(of: pointer, as: UnsafeMutableRawPointer.self)
        case .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64, .group:
            throw invalid(decoder, sentence: "is a \(type.spelling), which no message of ours has")
        }
    }

    /// Timestamps and durations are strings in JSON.
    func fill(
        _ plan: MessagePlan, _ target: UnsafeMutableRawPointer, _ type: WellKnownType, _ decoder: any Decoder
    ) throws {
        guard let text = try? decoder.singleValueContainer().decode(String.self), let value = type.parse(text) else {
            throw invalid(decoder, allowed: type.allowed)
        }
        for field in plan.fields {
            let slot = unsafe target + field.offset
            switch field.schema.name {
            case "seconds": unsafe slot.storeBytes(of: value.seconds, as: Int64.self)
            default: unsafe slot.storeBytes(of: value.nanoseconds, as: Int32.self)
            }
        }
    }

    private func data(_ bytes: [UInt8], _ decoder: any Decoder) throws -> ProtobufCBinaryData {
        guard !bytes.isEmpty else { return unsafe ProtobufCBinaryData(len: 0, data: nil) }
        let target = try unsafe room(bytes.count, decoder)
        unsafe bytes.withUnsafeBytes {
            unsafe target.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(target), byteCount: $0.count)
        }
        return unsafe ProtobufCBinaryData(len: bytes.count, data: target.assumingMemoryBound(to: UInt8.self))
    }

    private func string(_ decoder: any Decoder) throws -> String {
        guard let text = try? decoder.singleValueContainer().decode(String.self) else {
            throw invalid(decoder, allowed: "a string")
        }
        return text
    }

    private func bytes(_ decoder: any Decoder) throws -> [UInt8] {
        guard let text = try? decoder.singleValueContainer().decode(String.self), let bytes = Base64.decode(text) else {
            throw invalid(decoder, allowed: "a string in base64")
        }
        return bytes
    }

    private func bool(_ decoder: any Decoder) throws -> Bool {
        guard let value = try? decoder.singleValueContainer().decode(Bool.self) else {
            throw invalid(decoder, allowed: "true or false")
        }
        return value
    }

    /// A number or, since JSON numbers lose digits past 2^53, a string with one.
    private func integer<Value: FixedWidthInteger & Decodable>(_ decoder: any Decoder) throws -> Value {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Value.self) { return number }
        if let text = try? value.decode(String.self), let number = Value(text) { return number }
        throw invalid(decoder, allowed: "a whole number from \(Value.min) to \(Value.max)")
    }

    private func double(_ decoder: any Decoder) throws -> Double {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Double.self) { return number }
        guard let text = try? value.decode(String.self), let number = Self.number(text) else {
            throw invalid(decoder, allowed: "a number, \"NaN\", \"Infinity\" or \"-Infinity\"")
        }
        return number
    }

    /// The nearest float of the number; one too large for a float is refused.
    private func float(_ decoder: any Decoder) throws -> Float {
        let wide = try double(decoder)
        let narrow = Float(wide)
        guard narrow.isFinite == wide.isFinite else {
            throw invalid(decoder, allowed: "a number up to \(Float.greatestFiniteMagnitude), \"NaN\" or \"Infinity\"")
        }
        return narrow
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: Double(text).flatMap { $0.isFinite && text.utf8.allSatisfy(isDecimal) ? $0 : nil }
        }
    }

    /// Double.init(_:) takes more than JSON's numbers: "inf", "0x1p3".
    private static func isDecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    private func number(of field: FieldPlan, _ decoder: any Decoder) throws -> Int32 {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int32.self) { return number }
        let values = field.enumeration?.values ?? []
        guard let name = try? value.decode(String.self), let known = values.first(where: { $0.name == name }) else {
            throw invalid(decoder, allowed: values.map(\.name).joined(separator: ", ") + ", or a number")
        }
        return known.number
    }
}
