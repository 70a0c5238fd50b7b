import Arguments
import Bytes
import Contracts
import ProtoSchema
import RPC
import Wire

/// The services that a target reports by reflection.
struct RemoteSchema: Sendable {
    /// Its services, by full name.
    let services: [ServiceSchema]
    /// All types of their messages.
    let schema: Schema

    /// Asks for all of it.
    static func ask(_ link: TargetLink, _ options: ClientOptions) async throws -> RemoteSchema {
        let reflection = ReflectionServiceClient(link.client)
        let names = try await reflection.listServices(ListServicesRequest(), options.call).services
        let answer = try await reflection.getDescriptors(GetDescriptorsRequest(symbols: names), options.call)
        let schema = try unsafe answer.fileDescriptorSet.withUnsafeBytes { bytes throws(SchemaError) in
            try unsafe Schema(fileDescriptorSet: bytes)
        }
        return RemoteSchema(services: names.compactMap { schema.services[$0] }, schema: schema)
    }

    /// The service of that name; its package may be left out when no other has its name.
    func service(named name: String) throws(UsageError) -> ServiceSchema {
        guard case .service(let service) = try symbol(named: name, among: services.map { .service($0) }) else {
            throw UsageError("\(name) is no service")
        }
        return service
    }

    /// The service, method, message or enum of that name; its package may be left out when nothing else has its name.
    func symbol(named name: String) throws(UsageError) -> Symbol {
        let methods = services.flatMap { service in service.methods.map { Symbol.method(service, $0) } }
        let symbols =
            services.map { .service($0) } + methods + schema.messages.values.map { .message($0) }
            + schema.enums.values.map { .enumeration($0) }
        return try symbol(named: name, among: symbols)
    }

    private func symbol(named name: String, among symbols: [Symbol]) throws(UsageError) -> Symbol {
        if let symbol = symbols.first(where: { $0.name == name }) { return symbol }
        let matches = symbols.filter { $0.name.ends(with: ".\(name)") }
        guard let match = matches.first else {
            let hint = Spelling.suggestion(for: name, among: symbols.flatMap { [$0.name, $0.shortName] })
            throw UsageError("the target has no \(name)\(hint.isEmpty ? "; waymark list names its methods" : hint)")
        }
        guard matches.count == 1 else {
            throw UsageError("\(name) may be any of \(matches.map(\.name).sorted().joined(separator: ", "))")
        }
        return match
    }
}

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
    var shortName: String { name.split(at: ".").last.map(String.init) ?? name }
}
