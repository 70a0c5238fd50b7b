internal import CProtobufC
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

extension FieldPlan {
    /// The values allowed, in words for an error. For a field of messages, its plan decides.
    var allowed: String {
        switch schema.type {
        case .double: "a number, \"NaN\", \"Infinity\" or \"-Infinity\""
        case .float: "a number up to \(Float.greatestFiniteMagnitude), \"NaN\" or \"Infinity\""
        case .int32: Self.whole(Int32.self)
        case .int64: Self.whole(Int64.self)
        case .uint32: Self.whole(UInt32.self)
        case .uint64: Self.whole(UInt64.self)
        case .bool: "true or false"
        case .string: "a string"
        case .bytes: "a string in base64"
        case .enum: (enumeration?.values ?? []).map(\.name).joined(separator: ", ") + ", or a number"
        case .message, .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64, .group: "nothing"
        }
    }

    private static func whole<Value: FixedWidthInteger>(_: Value.Type) -> String {
        "a whole number from \(Value.min) to \(Value.max)"
    }
}

extension JSONReader {
    /// Stores one value of the field where protobuf-c expects it.
    func store(_ field: FieldPlan, _ value: JSONScalar, at slot: UnsafeMutableRawPointer) throws(WireJSONError) {
        switch field.schema.type {
        case .double: unsafe slot.storeBytes(of: try double(value), as: Double.self)
        case .float: unsafe slot.storeBytes(of: try float(value), as: Float.self)
        case .int32: unsafe slot.storeBytes(of: try integer(value), as: Int32.self)
        case .int64: unsafe slot.storeBytes(of: try integer(value), as: Int64.self)
        case .uint32: unsafe slot.storeBytes(of: try integer(value), as: UInt32.self)
        case .uint64: unsafe slot.storeBytes(of: try integer(value), as: UInt64.self)
        case .bool:
            guard case .flag(let flag) = value else { throw unexpected(value.kind) }
            unsafe slot.storeBytes(of: flag ? 1 : 0, as: protobuf_c_boolean.self)
        case .enum: unsafe slot.storeBytes(of: try number(of: field, value), as: Int32.self)
        case .string:
            guard case .string(let bytes) = value, unsafe Self.isText(bytes) else { throw unexpected(value.kind) }
            unsafe slot.storeBytes(of: try data(bytes), as: ProtobufCBinaryData.self)
        case .bytes:
            guard case .string(let text) = value, let bytes = unsafe Base64.decode(Self.characters(text).span) else {
                throw unexpected(value.kind)
            }
            let copy = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Result { () throws(WireJSONError) in try unsafe data(bytes) }
            }
            unsafe slot.storeBytes(of: try copy.get(), as: ProtobufCBinaryData.self)
        case .message, .sint32, .sint64, .fixed32, .fixed64, .sfixed32, .sfixed64, .group:
            throw invalid("is a \(field.schema.type.spelling), which no message of ours has")
        }
    }

    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe (try? UTF8Span(validating: characters(bytes).span)) != nil
    }

    private static func characters(_ bytes: UnsafeRawBufferPointer) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(
            start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }

    /// A copy in the arena.
    private func data(_ bytes: UnsafeRawBufferPointer) throws(WireJSONError) -> ProtobufCBinaryData {
        guard let source = bytes.baseAddress, bytes.count > 0 else {
            return unsafe ProtobufCBinaryData(len: 0, data: nil)
        }
        let target = try unsafe room(bytes.count)
        unsafe target.copyMemory(from: source, byteCount: bytes.count)
        return unsafe ProtobufCBinaryData(len: bytes.count, data: target.assumingMemoryBound(to: UInt8.self))
    }

    /// A number or, since JSON's numbers lose digits past 2^53, a string with one.
    private func integer<Value: FixedWidthInteger>(_ value: JSONScalar) throws(WireJSONError) -> Value {
        switch value {
        case .number(let digits):
            if let number = Value(digits) { return number }
            // 1.0 and 1e2 are whole numbers too.
            if let number = Double(digits).flatMap({ Value(exactly: $0) }) { return number }
        case .string: if let number = value.word.flatMap({ Value($0) }) { return number }
        case .flag: break
        }
        throw unexpected(value.kind)
    }

    private func double(_ value: JSONScalar) throws(WireJSONError) -> Double {
        switch value {
        case .number(let digits):
            if let number = Double(digits), number.isFinite { return number }
        case .string:
            if let number = value.word.flatMap(Self.number) { return number }
        case .flag: break
        }
        throw unexpected(value.kind)
    }

    /// The nearest float of the number; one too large for a float is refused.
    private func float(_ value: JSONScalar) throws(WireJSONError) -> Float {
        let wide = try double(value)
        let narrow = Float(wide)
        guard narrow.isFinite == wide.isFinite else { throw unexpected(value.kind) }
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

    private func number(of field: FieldPlan, _ value: JSONScalar) throws(WireJSONError) -> Int32 {
        switch value {
        case .number(let digits): if let number = Int32(digits) { return number }
        case .string:
            if let name = value.word, let known = field.enumeration?.values.first(where: { $0.name == name }) {
                return known.number
            }
        case .flag: break
        }
        throw unexpected(value.kind)
    }
}
