internal import CProtobufC
internal import ProtoSchema
internal import Wire

/// One message type: what its .proto says of the fields, and where protobuf-c keeps them.
final class MessagePlan: Sendable {
    let name: String
    let layout: MessageLayout
    /// In the order of the .proto.
    let fields: [FieldPlan]
    /// Indices into `fields` by JSON name and by the name in the .proto.
    let byName: [String: Int]
    /// Indices into `fields`, in their order and by their JSON names.
    let indices: [Int]
    let sorted: [Int]
    /// Nil for an ordinary message.
    let wellKnown: WellKnownType?

    init(_ schema: MessageSchema, layout: MessageLayout, enums: [String: EnumSchema], plans: [String: Int]) {
        name = schema.fullName
        self.layout = layout
        fields = schema.fields.compactMap { FieldPlan($0, layout: layout, enums: enums, plans: plans) }
        var byName: [String: Int] = [:]
        for (index, field) in fields.enumerated() {
            byName[field.schema.name] = index
            byName[field.schema.jsonName] = index
        }
        self.byName = byName
        let fields = fields
        indices = Array(fields.indices)
        sorted = fields.indices.sorted { fields[$0].schema.jsonName < fields[$1].schema.jsonName }
        wellKnown = WellKnownType(name)
    }
}

/// One field: what its .proto says, and where protobuf-c keeps it. Like a plan it is handed on with each value, so it
/// is no struct, whose strings would be counted each time.
final class FieldPlan: Sendable {
    let schema: FieldSchema
    /// The values' names, for a field that is an enum.
    let enumeration: EnumSchema?
    /// Where `MessagePlans` has the plan of the values, for a field of messages.
    let message: Int?
    /// Where the value is in the C struct, in bytes.
    let offset: Int
    /// Where the count of a repeated field is, or the case of a oneof.
    let quantifierOffset: Int
    /// Whether protobuf-c keeps it in a oneof; `optional` ones are.
    let isInOneof: Bool

    init?(_ schema: FieldSchema, layout: MessageLayout, enums: [String: EnumSchema], plans: [String: Int]) {
        guard let number = UInt32(exactly: schema.number),
            let c = unsafe protobuf_c_message_descriptor_get_field(layout.descriptor, number)
        else { return nil }
        self.schema = schema
        if case .enum(let name) = schema.type { enumeration = enums[name] } else { enumeration = nil }
        if case .message(let name) = schema.type { message = plans[name] } else { message = nil }
        offset = unsafe Int(c.pointee.offset)
        quantifierOffset = unsafe Int(c.pointee.quantifier_offset)
        isInOneof = unsafe c.pointee.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0
    }
}

/// The plans of all message types of a schema.
struct MessagePlans: Sendable {
    private let plans: [MessagePlan]
    private let byName: [String: Int]

    init(_ schema: Schema, layout: (String) -> MessageLayout?) {
        let known = schema.messages.values.compactMap { message in layout(message.fullName).map { (message, $0) } }
        let numbered = known.enumerated().map { ($0.element.0.fullName, $0.offset) }
        let byName = Dictionary(numbered) { first, _ in first }
        plans = known.map { MessagePlan($0.0, layout: $0.1, enums: schema.enums, plans: byName) }
        self.byName = byName
    }

    func plan(_ name: String) throws(WireJSONError) -> MessagePlan {
        guard let index = byName[name] else { throw Self.unknown(name) }
        return plans[index]
    }

    /// The plan of a field's values; nil when they are no messages.
    func plan(of field: FieldPlan) throws(WireJSONError) -> MessagePlan? {
        if let index = field.message { return plans[index] }
        if case .message(let name) = field.schema.type { throw Self.unknown(name) }
        return nil
    }

    private static func unknown(_ name: String) -> WireJSONError {
        WireJSONError(.unknownMessage, "there is no message type \(name)")
    }
}
