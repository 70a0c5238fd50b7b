internal import CProtobufC
internal import FoundationEssentials
internal import ProtoSchema
internal import Wire

/// Fills protobuf-c's C structs from JSON, straight from the decoder's values: there is no tree in between.
struct JSONReader {
    let plans: MessagePlans
    let arena: Arena

    /// The C struct of the message that `json` says, in the arena.
    func message(_ name: String, _ json: [UInt8]) throws(WireJSONError) -> UnsafeMutableRawPointer {
        let plan = try plans.plan(name)
        if let repeated = RepeatedMember.first(in: json) {
            throw WireJSONError(.invalidValue(path: repeated), "\(repeated) is given twice; a member may be given once")
        }
        do {
            let root = RootConfiguration(reader: self, plan: plan)
            return try unsafe JSONDecoder().decode(Root.self, from: Data(json), configuration: root).pointer
        } catch let error as WireJSONError {
            throw error
        } catch {
            throw WireJSONError(.notJSON, "the input is not valid JSON: \(Self.reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else { return "\(error)" }
        return context.underlyingError.map { "\($0)" } ?? context.debugDescription
    }

    func message(_ plan: MessagePlan, _ decoder: any Decoder) throws -> UnsafeMutableRawPointer {
        let target = try unsafe room(plan.layout.structBytes, decoder)
        unsafe protobuf_c_message_init(plan.layout.descriptor, target)
        if let wellKnown = WellKnownType(plan.name) {
            try unsafe fill(plan, target, wellKnown, decoder)
        } else {
            try unsafe fill(plan, target, decoder)
        }
        return unsafe target
    }

    private func fill(_ plan: MessagePlan, _ target: UnsafeMutableRawPointer, _ decoder: any Decoder) throws {
        guard let members = try? decoder.container(keyedBy: MemberKey.self) else {
            throw invalid(decoder, allowed: "an object with the fields of \(plan.name)")
        }
        var seen = SeenFields()
        for key in members.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let value = try members.superDecoder(forKey: key)
            guard let index = plan.byName[key.stringValue] else {
                let path = FieldPath.text(value.codingPath)
                throw WireJSONError(.unknownField(path: path), "\(path): \(plan.name) has no such field")
            }
            let field = plan.fields[index]
            if try value.singleValueContainer().decodeNil() { continue }
            if let refusal = seen.refusal(of: field.schema) { throw invalid(value, sentence: refusal) }
            try unsafe fill(field, target, value)
        }
    }

    private func fill(_ field: FieldPlan, _ target: UnsafeMutableRawPointer, _ decoder: any Decoder) throws {
        let slot = unsafe target + field.offset
        let quantifier = unsafe target + field.quantifierOffset
        if field.schema.isRepeated {
            let (start, count) = try unsafe list(field, decoder)
            unsafe slot.storeBytes(of: start, as: UnsafeMutableRawPointer?.self)
            unsafe quantifier.storeBytes(of: count, as: Int.self)
            return
        }
        try unsafe store(field, at: slot, decoder)
        // protobuf-c keeps a C enum there; it makes sure that it has the size of an int.
        if field.isInOneof { unsafe quantifier.storeBytes(of: UInt32(field.schema.number), as: UInt32.self) }
    }

    private func list(_ field: FieldPlan, _ decoder: any Decoder) throws -> (UnsafeMutableRawPointer?, Int) {
        guard var elements = try? decoder.unkeyedContainer(), let count = elements.count else {
            throw invalid(decoder, allowed: "a list")
        }
        guard count > 0 else { return (nil, 0) }
        let stride = field.schema.type.cStride
        let start = try unsafe room(count * stride, decoder)
        for index in 0..<count {
            let value = try elements.superDecoder()
            if try value.singleValueContainer().decodeNil() {
                throw invalid(value, sentence: "is null; a list may not contain null")
            }
            try unsafe store(field, at: start + index * stride, value)
        }
        return unsafe (start, count)
    }

    func room(_ byteCount: Int, _ decoder: any Decoder) throws -> UnsafeMutableRawPointer {
        guard let room = unsafe arena.allocate(byteCount) else {
            let path = FieldPath.text(decoder.codingPath)
            throw WireJSONError(.overBudget, "\(path): the message takes more memory than a message may use")
        }
        return unsafe room
    }
}

/// Which fields of one JSON object were met.
private struct SeenFields {
    private var numbers: Set<Int> = []
    private var oneofs: Set<Int> = []

    /// Why the field may not be given, after those that were.
    mutating func refusal(of field: FieldSchema) -> String? {
        guard numbers.insert(field.number).inserted else {
            return "is given twice, as \(field.name) and \(field.jsonName)"
        }
        guard field.isOneofMember, let oneof = field.oneofIndex, !oneofs.insert(oneof).inserted else { return nil }
        return "is given beside another field of the same oneof; only one of them is allowed"
    }
}

/// What the root of the JSON is to become.
private struct RootConfiguration {
    let reader: JSONReader
    let plan: MessagePlan
}

/// The root message, made by JSONDecoder.
@safe
private struct Root: DecodableWithConfiguration {
    let pointer: UnsafeMutableRawPointer

    init(from decoder: any Decoder, configuration: RootConfiguration) throws {
        unsafe pointer = try configuration.reader.message(configuration.plan, decoder)
    }
}
