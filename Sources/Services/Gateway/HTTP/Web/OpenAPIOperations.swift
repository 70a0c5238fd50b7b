import ProtoSchema
import RPC

/// How one method is called over HTTP, in OpenAPI.
struct OpenAPIOperations {
    private let descriptor: MethodDescriptor
    private let method: MethodSchema
    private let schema: Schema
    /// The unary methods of its service, which answers may lead to.
    private let neighbours: [MethodSchema]

    init(_ descriptor: MethodDescriptor, _ method: MethodSchema, _ schema: Schema) {
        self.descriptor = descriptor
        self.method = method
        self.schema = schema
        let own = schema.services[descriptor.service]?.methods ?? []
        neighbours = own.filter { !$0.isClientStreaming && !$0.isServerStreaming }
    }

    /// A unary call by POST.
    var call: JSONTree {
        var answer = answer("application/json", .object(["schema": OpenAPI.reference(method.output)]))
        let links = links
        if !links.isEmpty { answer["links"] = .object(links) }
        return operation(
            "", answer, errors: OpenAPIErrors.ofCalls,
            [
                "requestBody": .object([
                    "required": .flag(true), "content": .object(["application/json": message]),
                ]), "parameters": .list(Self.parameters(["Timeout", "Version"])),
            ])
    }

    /// A unary call by GET, with the message in the query.
    var question: JSONTree {
        let question: JSONTree = .object([
            "name": .text("message"), "in": .text("query"), "required": .flag(needsMessage),
            "content": .object(["application/json": message]),
        ])
        return operation(
            ".get", answer("application/json", .object(["schema": OpenAPI.reference(method.output)])),
            errors: OpenAPIErrors.ofGets,
            ["parameters": .list(Self.parameters(["Timeout", "connect", "encoding"]) + [question])])
    }

    /// A server stream.
    var stream: JSONTree {
        let type = "application/connect+json"
        var answer = answer(type, Self.enveloped(method.output))
        answer["description"] = .text("Enveloped messages, and a last one that tells of an error, if there was one.")
        return operation(
            "", answer, errors: OpenAPIErrors.ofStreams,
            [
                "requestBody": .object([
                    "required": .flag(true), "content": .object([type: Self.enveloped(method.input)]),
                ]), "parameters": .list(Self.parameters(["Timeout", "Version"])),
            ])
    }

    private func operation(
        _ ending: String, _ answer: [String: JSONTree], errors: [Int], _ request: [String: JSONTree]
    ) -> JSONTree {
        let responses = OpenAPIErrors.references(errors).merging(["200": .object(answer)]) { _, own in own }
        let operation: [String: JSONTree] = [
            "operationId": .text("\(descriptor.service).\(method.name)\(ending)"),
            "tags": .list([.text(descriptor.service)]), "description": .text(method.comment),
            "responses": .object(responses), "security": OpenAPI.security(of: descriptor.role),
        ]
        return .object(operation.merging(request) { first, _ in first })
    }

    private func answer(_ type: String, _ content: JSONTree) -> [String: JSONTree] {
        [
            "description": .text("The answer."), "headers": OpenAPIErrors.headers,
            "content": .object([type: content]),
        ]
    }

    private var message: JSONTree { .object(["schema": OpenAPI.reference(method.input)]) }

    /// Nothing at all is a message without fields.
    private var needsMessage: Bool {
        schema.messages[method.input]?.fields.contains(where: OpenAPITypes.isNeeded) ?? false
    }

    /// Each message has five bytes before it, so no schema tells how a body looks; it tells how a message does.
    private static func enveloped(_ message: String) -> JSONTree {
        .object([
            "schema": .object([
                "description": .text(
                    "Before each message stand a byte of flags (1: packed, 2: the last one) and its length in four "
                        + "bytes, as https://connectrpc.com/docs/protocol says. x-message tells what is in between."),
                "x-message": OpenAPI.reference(message),
            ])
        ])
    }

    private static func parameters(_ names: [String]) -> [JSONTree] {
        names.map { .object(["$ref": .text("#/components/parameters/\($0)")]) }
    }
}

// MARK: links

extension OpenAPIOperations {
    /// Where what the answer names can be asked for: methods of the service whose requests need nothing but a field of
    /// the same name, or for a message with an id, one called id.
    private var links: [String: JSONTree] {
        var links: [String: JSONTree] = [:]
        for target in neighbours where target.name != method.name {
            let fields = schema.messages[target.input]?.fields ?? []
            for asked in fields where fields.allSatisfy({ !OpenAPITypes.isNeeded($0) || $0.name == asked.name }) {
                guard let source = source(of: asked) else { continue }
                links["\(target.name).\(asked.jsonName)"] = .object([
                    "operationId": .text("\(descriptor.service).\(target.name)"),
                    "requestBody": .object([asked.jsonName: .text("$response.body#/\(source)")]),
                ])
            }
        }
        return links
    }

    /// The pointer to what of the answer can be a field of a request.
    private func source(of asked: FieldSchema) -> String? {
        guard asked.type == .string, !asked.isRepeated else { return nil }
        for answered in schema.messages[method.output]?.fields ?? [] where !answered.isRepeated {
            if answered.type == .string {
                if answered.name == asked.name { return answered.jsonName }
            } else if case .message(let name) = answered.type, asked.name == "id",
                schema.messages[name]?.fields.contains(where: { $0.name == "id" }) ?? false
            {
                return "\(answered.jsonName)/id"
            }
        }
        return nil
    }
}
