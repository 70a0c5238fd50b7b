import Arguments
import Bytes
import ProtoSchema
import RPC
import Wire
import WireJSON

/// A method of the services that this program was built with.
struct KnownMethod: Sendable {
    /// Full name of its service.
    let service: String
    let schema: MethodSchema

    /// "waymark.places.v1.PlacesService/Nearby"
    var path: String { "\(service)/\(schema.name)" }

    /// All methods that were built in, by path.
    static let all = methods(of: Array(Schema.embedded.services.values))

    /// The methods of some services, by path.
    static func methods(of services: [ServiceSchema]) -> [KnownMethod] {
        services.flatMap { service in
            service.methods.map { KnownMethod(service: service.fullName, schema: $0) }
        }.sorted { $0.path < $1.path }
    }

    private init(service: String, schema: MethodSchema) {
        self.service = service
        self.schema = schema
    }

    /// The method with this path; the service's package may be left out when no other service has its name.
    init(named name: String) throws(UsageError) {
        let matches = Self.all.filter { $0.path == name || $0.path.ends(with: ".\(name)") }
        guard let match = matches.first else {
            let hint = Spelling.suggestion(for: name, among: Self.all.flatMap { [$0.path, $0.shortPath] })
            throw UsageError("there is no method \(name)\(hint.isEmpty ? "; waymark list names them" : hint)")
        }
        guard matches.count == 1 else {
            throw UsageError("\(name) may be any of \(matches.map(\.path).joined(separator: ", "))")
        }
        self = match
    }

    /// "PlacesService/Nearby"
    var shortPath: String { path.split(at: ".").last.map(String.init) ?? path }

    /// As the RPC wants it.
    var descriptor: MethodDescriptor {
        MethodDescriptor(
            service: service, method: schema.name, kind: kind, isIdempotent: schema.idempotency != .unknown,
            hasNoSideEffects: schema.idempotency == .noSideEffects, role: Role(rawValue: Int32(schema.role)))
    }

    private var kind: MethodKind {
        switch (schema.isClientStreaming, schema.isServerStreaming) {
        case (false, false): .unary
        case (false, true): .serverStreaming
        case (true, false): .clientStreaming
        case (true, true): .bidirectional
        }
    }
}
