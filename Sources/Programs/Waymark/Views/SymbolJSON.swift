import ProtoSchema

/// A symbol for programs. What it does not have is left out.
struct SymbolJSON: Encodable {
    struct Method: Encodable {
        let name: String
        let comment: String
        let request: String
        let response: String
        let streamsRequests: Bool
        let streamsResponses: Bool
        /// "NO_SIDE_EFFECTS", "IDEMPOTENT" or nothing.
        let idempotency: String?

        init(_ method: MethodSchema) {
            (name, comment) = (method.name, method.comment)
            (request, response) = (method.input, method.output)
            (streamsRequests, streamsResponses) = (method.isClientStreaming, method.isServerStreaming)
            idempotency =
                switch method.idempotency {
                case .noSideEffects: "NO_SIDE_EFFECTS"
                case .idempotent: "IDEMPOTENT"
                case .unknown: nil
                }
        }
    }

    struct Field: Encodable {
        let name: String
        let jsonName: String
        let number: Int
        let type: String
        let repeated: Bool
        let optional: Bool
        /// Name of the oneof that it is a member of.
        let oneof: String?
        let comment: String
    }

    struct Value: Encodable {
        let name: String
        let number: Int32
        let comment: String
    }

    /// "service", "method", "message" or "enum".
    let kind: String
    let name: String
    var comment = ""
    var methods: [Method]?
    var method: Method?
    var fields: [Field]?
    var values: [Value]?

    init(_ symbol: Symbol) {
        name = symbol.name
        switch symbol {
        case .service(let service):
            (kind, comment) = ("service", service.comment)
            methods = service.methods.map { Method($0) }
        case .method(_, let method):
            (kind, comment) = ("method", method.comment)
            self.method = Method(method)
        case .message(let message):
            (kind, comment) = ("message", message.comment)
            fields = message.fields.map { Self.field($0, message) }
        case .enumeration(let enumeration):
            (kind, comment) = ("enum", enumeration.comment)
            values = enumeration.values.map { Value(name: $0.name, number: $0.number, comment: $0.comment) }
        }
    }

    private static func field(_ field: FieldSchema, _ message: MessageSchema) -> Field {
        let index = field.isOneofMember ? field.oneofIndex : nil
        let oneof = index.flatMap { message.oneofs.indices.contains($0) ? message.oneofs[$0].name : nil }
        return Field(
            name: field.name, jsonName: field.jsonName, number: field.number, type: field.type.spelling,
            repeated: field.isRepeated, optional: field.isProto3Optional, oneof: oneof, comment: field.comment)
    }
}
