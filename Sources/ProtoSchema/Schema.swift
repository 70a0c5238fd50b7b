/// What the .proto files say, as values: read from descriptors by protobuf-c, used by ProtoGen, JSON and reflection.
package struct Schema: Sendable {
    /// The files, each after those it imports.
    package let files: [FileSchema]
    /// Every message, nested ones included, by its full name.
    package let messages: [String: MessageSchema]
    /// Every enum, nested ones included, by its full name.
    package let enums: [String: EnumSchema]
    /// Every service by its full name.
    package let services: [String: ServiceSchema]

    /// Indexes the declarations of files that were read.
    package init(files: [FileSchema]) {
        self.files = files
        let roots = files.flatMap(\.messages)
        let all = roots.flatMap(\.withNested)
        let enums = files.flatMap(\.enums) + all.flatMap(\.enums)
        let services = files.flatMap(\.services)
        messages = Dictionary(all.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })
        self.enums = Dictionary(enums.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })
        self.services = Dictionary(services.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether a call of the method can be named by the field `request_id` of its request, and then be made again.
    package func takesRequestID(_ method: MethodSchema) -> Bool {
        messages[method.input]?.fields.contains { $0.name == "request_id" && $0.type == .string } ?? false
    }

    /// The method with a path as calls carry it: "package.Service/Method".
    package func method(_ path: String) -> MethodSchema? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let service = services[String(parts[0])] else { return nil }
        return service.methods.first { $0.name == parts[1] }
    }
}
