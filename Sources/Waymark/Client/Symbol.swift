import ProtoSchema

/// Something with a name in the .proto files.
enum Symbol: Sendable {
    case service(ServiceSchema)
    case method(ServiceSchema, MethodSchema)
    case message(MessageSchema)
    case enumeration(EnumSchema)

    /// Its full name: "waymark.rpc.v1.EchoService/Echo".
    var name: String {
        switch self {
        case .service(let service): service.fullName
        case .method(let service, let method): "\(service.fullName)/\(method.name)"
        case .message(let message): message.fullName
        case .enumeration(let values): values.fullName
        }
    }

    /// Without its package: "EchoService/Echo".
    var shortName: String { name.split(separator: ".").last.map(String.init) ?? name }
}
