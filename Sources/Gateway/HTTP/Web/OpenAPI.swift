import Daemon
import ProtoSchema
import RPC
import WireJSON

/// A description of the HTTP side in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0), made from the descriptors:
/// everything in it comes from the .proto files.
struct OpenAPI {
    private let methods: [MethodDescriptor]
    private let schema: Schema

    init(_ methods: [MethodDescriptor], _ schema: Schema = .embedded) {
        self.methods = methods
        self.schema = schema
    }

    var document: JSONTree {
        .object([
            "openapi": .text("3.1.0"),
            "info": .object([
                "title": .text("Waymark"), "version": .text(ServiceProgram.version),
                "description": .text(Self.summary),
                "license": .object(["name": .text("Apache-2.0"), "identifier": .text("Apache-2.0")]),
            ]),
            "tags": .list(services.map { tag($0) }),
            "paths": .object(paths), "components": .object(components),
            "security": .list([.object([:]), .object(["token": .list([])]), .object(["session": .list([])])]),
        ])
    }

    private static let summary = """
        Every call is POST /<package.Service>/<Method> after the Connect protocol \
        (https://connectrpc.com/docs/protocol); those that change nothing may be GET. Bodies are JSON after the \
        canonical mapping of protobuf, or protobuf itself.
        """

    /// The gateway's methods that a client may call over HTTP, with their descriptions in the .proto files.
    private var known: [(descriptor: MethodDescriptor, method: MethodSchema)] {
        methods.compactMap { descriptor in
            guard let method = schema.method(descriptor.path), !method.isClientStreaming else { return nil }
            return (descriptor, method)
        }
    }

    private var services: [ServiceSchema] {
        Set(methods.map(\.service)).sorted().compactMap { schema.services[$0] }
    }

    private func tag(_ service: ServiceSchema) -> JSONTree {
        .object(["name": .text(service.fullName), "description": .text(service.comment)])
    }

    // MARK: paths

    private var paths: [String: JSONTree] {
        var paths = OpenAPIPages.paths
        for (descriptor, method) in known {
            var item = ["post": operation(descriptor, method, isGet: false)]
            if descriptor.hasNoSideEffects, descriptor.kind == .unary {
                item["get"] = operation(descriptor, method, isGet: true)
            }
            paths["/\(descriptor.path)"] = .object(item)
        }
        return paths
    }

    private func operation(_ descriptor: MethodDescriptor, _ method: MethodSchema, isGet: Bool) -> JSONTree {
        let isStream = descriptor.kind != .unary
        let type = isStream ? "application/connect+json" : "application/json"
        var operation: [String: JSONTree] = [
            "operationId": .text("\(descriptor.service).\(method.name)\(isGet ? ".get" : "")"),
            "tags": .list([.text(descriptor.service)]), "description": .text(method.comment),
            "responses": .object([
                "200": .object([
                    "description": .text(isStream ? "Enveloped messages, each of this form." : "The answer."),
                    "content": .object([type: .object(["schema": Self.reference(method.output)])]),
                ]),
                "default": .object(["$ref": .text("#/components/responses/Error")]),
            ]),
        ]
        let content: JSONTree = .object([type: .object(["schema": Self.reference(method.input)])])
        if isGet {
            operation["parameters"] = .list([
                Self.parameter("connect", .object(["const": .text("v1")]), isRequired: false),
                Self.parameter("encoding", .object(["const": .text("json")]), isRequired: true),
                .object([
                    "name": .text("message"), "in": .text("query"), "required": .flag(true),
                    "content": .object(["application/json": .object(["schema": Self.reference(method.input)])]),
                ]),
            ])
        } else {
            operation["requestBody"] = .object(["required": .flag(true), "content": content])
            operation["parameters"] = .list([.object(["$ref": .text("#/components/parameters/Timeout")])])
        }
        return .object(operation)
    }

    private static func parameter(_ name: String, _ schema: JSONTree, isRequired: Bool) -> JSONTree {
        .object(["name": .text(name), "in": .text("query"), "required": .flag(isRequired), "schema": schema])
    }

    static func reference(_ message: String) -> JSONTree { .object(["$ref": .text("#/components/schemas/\(message)")]) }

    // MARK: components

    private var components: [String: JSONTree] {
        [
            "schemas": .object(schemas), "responses": .object(["Error": OpenAPIPages.error]),
            "parameters": .object(["Timeout": OpenAPIPages.timeout]),
            "securitySchemes": .object([
                "token": .object(["type": .text("http"), "scheme": .text("bearer")]),
                "session": .object([
                    "type": .text("apiKey"), "in": .text("cookie"), "name": .text(SessionCookie.name),
                ]),
            ]),
        ]
    }

    private var schemas: [String: JSONTree] {
        var schemas = ["ConnectError": OpenAPIPages.connectError]
        var names = known.flatMap { [$0.method.input, $0.method.output] }
        while let name = names.popLast() {
            guard schemas[name] == nil else { continue }
            if let message = schema.messages[name] {
                schemas[name] = OpenAPITypes.message(message)
                names += message.fields.compactMap { OpenAPITypes.named($0.type) }
            } else if let values = schema.enums[name] {
                schemas[name] = OpenAPITypes.enumeration(values)
            }
        }
        return schemas
    }
}
