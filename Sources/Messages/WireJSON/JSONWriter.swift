internal import Bytes
internal import CProtobufC
internal import JSONStream
internal import ProtoSchema
internal import Wire

/// Writes protobuf-c's C structs as JSON, value by value.
struct JSONWriter {
    /// What can't be written, and where: each level that it passes through prepends its own name to the path.
    private struct Problem: Error {
        var path: [String] = []
        let reason: String
    }

    let plans: MessagePlans
    let arena: Arena
    let isSorted: Bool

    func json(
        _ plan: MessagePlan, _ message: UnsafeRawPointer, isPretty: Bool
    ) throws(WireJSONError) -> [UInt8] {
        let text = JSONText(isPretty: isPretty)
        do {
            try unsafe write(plan, message, text)
        } catch let problem as Problem {
            let path = problem.path.reduce("") { $0.isEmpty || $1.begins(with: "[") ? $0 + $1 : "\($0).\($1)" }
            throw WireJSONError(.invalidValue(path: path), "\(path) \(problem.reason)")
        } catch {
            throw error as? WireJSONError ?? WireJSONError(.malformed, "\(error)")
        }
        return text.bytes()
    }

    // MARK: messages

    private func write(_ plan: MessagePlan, _ message: UnsafeRawPointer, _ text: borrowing JSONText) throws {
        if let wellKnown = plan.wellKnown { return text.string(try unsafe wellKnownText(wellKnown, plan, message)) }
        text.startObject()
        for index in isSorted ? plan.sorted : plan.indices {
            let field = plan.fields[index]
            do {
                try unsafe write(field, message, text)
            } catch var problem as Problem {
                problem.path.insert(field.schema.jsonName, at: 0)
                throw problem
            }
        }
        text.endObject()
    }

    private func write(_ field: FieldPlan, _ message: UnsafeRawPointer, _ text: borrowing JSONText) throws {
        guard field.schema.isRepeated else {
            guard unsafe isPresent(field, message) else { return }
            text.string(field.schema.jsonName)
            return try unsafe write(value: field, message + field.offset, text)
        }
        guard let (start, count) = unsafe list(field, message) else { return }
        text.string(field.schema.jsonName)
        text.startArray()
        for index in 0..<count {
            do {
                try unsafe write(value: field, start + index * field.schema.type.cStride, text)
            } catch var problem as Problem {
                problem.path.insert("[\(index)]", at: 0)
                throw problem
            }
        }
        text.endArray()
    }

    private func wellKnownText(
        _ type: WellKnownType, _ plan: MessagePlan, _ message: UnsafeRawPointer
    ) throws -> String {
        var value = WellKnownValue(seconds: 0, nanoseconds: 0)
        for field in plan.fields {
            let slot = unsafe message + field.offset
            switch field.schema.name {
            case "seconds": value.seconds = unsafe slot.load(as: Int64.self)
            default: value.nanoseconds = unsafe slot.load(as: Int32.self)
            }
        }
        if let text = type.text(value) { return text }
        throw Problem(reason: "has \(value.seconds) s and \(value.nanoseconds) ns; allowed: \(type.allowed)")
    }

    /// Where a repeated field's values are, nil when there are none.
    private func list(_ field: FieldPlan, _ message: UnsafeRawPointer) -> (UnsafeRawPointer, Int)? {
        let count = unsafe (message + field.quantifierOffset).load(as: Int.self)
        guard let start = unsafe (message + field.offset).load(as: UnsafeRawPointer?.self), count > 0 else {
            return nil
        }
        return unsafe (start, count)
    }

    private func isPresent(_ field: FieldPlan, _ message: UnsafeRawPointer) -> Bool {
        if field.isInOneof {
            return unsafe (message + field.quantifierOffset).load(as: UInt32.self) == UInt32(field.schema.number)
        }
        let slot = unsafe message + field.offset
        return switch field.schema.type {
        case .double: unsafe slot.load(as: Double.self) != 0
        case .float: unsafe slot.load(as: Float.self) != 0
        case .string, .bytes: unsafe slot.load(as: ProtobufCBinaryData.self).len > 0
        case .message: unsafe slot.load(as: UnsafeRawPointer?.self) != nil
        default: unsafe field.schema.type.cStride == 8 ? slot.load(as: Int64.self) != 0 : slot.load(as: Int32.self) != 0
        }
    }

    // MARK: values

    private func write(value field: FieldPlan, _ slot: UnsafeRawPointer, _ text: borrowing JSONText) throws {
        switch field.schema.type {
        case .message:
            guard let plan = try plans.plan(of: field), let message = unsafe slot.load(as: UnsafeRawPointer?.self)
            else { return text.startEmptyObject() }
            try unsafe write(plan, message, text)
        case .double: number(unsafe slot.load(as: Double.self), text)
        case .float: number(unsafe slot.load(as: Float.self), text)
        case .int64: text.string("\(unsafe slot.load(as: Int64.self))")
        case .uint64: text.string("\(unsafe slot.load(as: UInt64.self))")
        case .uint32: text.number("\(unsafe slot.load(as: UInt32.self))")
        case .bool: text.flag(unsafe slot.load(as: protobuf_c_boolean.self) != 0)
        case .string:
            let data = unsafe slot.load(as: ProtobufCBinaryData.self)
            guard unsafe text.string(UnsafeRawBufferPointer(start: data.data, count: data.len)) else {
                throw Problem(reason: "is not valid UTF-8; strings are UTF-8")
            }
        case .bytes:
            let base64 = Base64.encode(unsafe arena.bytes(slot.load(as: ProtobufCBinaryData.self)))
            unsafe base64.withUnsafeBytes { characters in _ = unsafe text.string(characters) }
        case .enum: enumeration(field, unsafe slot.load(as: Int32.self), text)
        default: text.number("\(unsafe slot.load(as: Int32.self))")
        }
    }

    /// The shortest digits that are this number; a whole one without a fraction.
    private func number<Value: BinaryFloatingPoint & CustomStringConvertible>(
        _ number: Value, _ text: borrowing JSONText
    ) {
        if number.isNaN {
            text.string("NaN")
        } else if number.isInfinite {
            text.string(number < 0 ? "-Infinity" : "Infinity")
        } else {
            let digits = number.description
            let isWhole = digits.utf8.suffix(2).elementsEqual(".0".utf8)
            text.number(isWhole ? String(decoding: digits.utf8.dropLast(2), as: UTF8.self) : digits)
        }
    }

    /// By its name; a number that this program does not know, as a number.
    private func enumeration(_ field: FieldPlan, _ number: Int32, _ text: borrowing JSONText) {
        if let known = field.enumeration?.values.first(where: { $0.number == number }) {
            text.string(known.name)
        } else {
            text.number("\(number)")
        }
    }
}

extension JSONText {
    /// Written in a list for a missing message; protobuf-c makes none.
    fileprivate borrowing func startEmptyObject() {
        startObject()
        endObject()
    }
}
