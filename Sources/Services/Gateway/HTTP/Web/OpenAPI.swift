import Daemon
import ProtoSchema
import RPC
import Wire
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
            "security": Self.security(of: .anyone),
        ])
    }

    /// What a caller shows: nothing in open mode, else a token, by itself or as a cookie, that has the role.
    static func security(of role: Role) -> JSONTree {
        let needed = JSONTree.list([Role.names[role]].compactMap(\.self).map { .text($0) })
        return .list([.object([:]), .object(["token": needed]), .object(["session": needed])])
    }

    private static let summary = """
        Every call is POST /<package.Service>/<Method> after the Connect protocol \
        (https://connectrpc.com/docs/protocol); those that change nothing may be GET, or HEAD. Bodies are JSON after \
        the canonical mapping of protobuf, as it is described here, or with application/proto protobuf itself; both \
        may be packed with gzip, as Content-Encoding says. In JSON, fields may have their names of the .proto files \
        too (radius_m), null is as good as nothing, and members that are not known are refused. A call's errors are \
        JSON, whatever its body is. Every answer has an X-Request-Id, the request's own if it has one of up to 64 \
        printable characters. What a method names under token and session is the role that its caller needs. All other \
        paths are the files of the web app.
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
            let operations = OpenAPIOperations(descriptor, method, schema)
            var item = ["post": descriptor.kind == .unary ? operations.call : operations.stream]
            if descriptor.hasNoSideEffects, descriptor.kind == .unary { item["get"] = operations.question }
            paths["/\(descriptor.path)"] = .object(item)
        }
        return paths
    }

    static func reference(_ message: String) -> JSONTree { .object(["$ref": .text("#/components/schemas/\(message)")]) }

    // MARK: components

    private var components: [String: JSONTree] {
        [
            "schemas": .object(schemas), "responses": .object(OpenAPIErrors.components),
            "parameters": .object(OpenAPIPages.parameters),
            "securitySchemes": .object([
                "token": .object(["type": .text("http"), "scheme": .text("bearer")]),
                "session": .object([
                    "type": .text("apiKey"), "in": .text("cookie"), "name": .text(SessionCookie.plainName),
                ]),
            ]),
        ]
    }

    /// The messages and enums that these messages are made of, themselves included.
    private func parts(of messages: [String]) -> Set<String> {
        var found: Set<String> = []
        var names = messages
        while let name = names.popLast() {
            guard found.insert(name).inserted, let message = schema.messages[name] else { continue }
            names += message.fields.compactMap { OpenAPITypes.named($0.type) }
        }
        return found
    }

    private var schemas: [String: JSONTree] {
        let types = OpenAPITypes(schema: schema, asked: parts(of: known.map(\.method.input)))
        var schemas = ["ConnectError": OpenAPIErrors.connectError]
        for name in parts(of: known.flatMap { [$0.method.input, $0.method.output] }) {
            if let message = schema.messages[name] {
                schemas[name] = types.message(message)
            } else if let values = schema.enums[name] {
                schemas[name] = types.enumeration(values)
            }
        }
        return schemas
    }
}
