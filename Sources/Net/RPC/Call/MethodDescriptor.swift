package import Wire

/// Which sides of a call send more than one message.
package enum MethodKind: Sendable, Hashable {
    case unary
    case serverStreaming
    case clientStreaming
    case bidirectional

    /// Whether the client sends any number of requests.
    package var takesStream: Bool { self == .clientStreaming || self == .bidirectional }
}

/// What is known of a method before it is called. Made by ProtoGen. A class, since each call passes it along several
/// times.
package final class MethodDescriptor: Sendable, Hashable {
    /// "waymark.places.v1.PlacesService"
    package let service: String
    /// "Nearby"
    package let method: String
    /// "waymark.places.v1.PlacesService/Nearby", as it goes over the wire.
    package let path: String
    package let kind: MethodKind
    /// Bytes that a path has at most.
    package static let longestPath = 200
    /// Whether calling it twice does what calling it once does.
    package let isIdempotent: Bool
    /// Whether it changes nothing at all.
    package let hasNoSideEffects: Bool
    /// The role that its callers need.
    package let role: Role
    /// The roles that callers need, as a set.
    let neededRoles: Roles
    /// Its index among the methods of its router, from 0; nil when it is in none. What is kept for each method is in
    /// arrays with this index.
    package let index: Int?

    package convenience init(
        service: String, method: String, kind: MethodKind, isIdempotent: Bool, hasNoSideEffects: Bool, role: Role
    ) {
        self.init(
            service, method, kind, isIdempotent: isIdempotent, hasNoSideEffects: hasNoSideEffects, role: role,
            index: nil)
    }

    private init(
        _ service: String, _ method: String, _ kind: MethodKind, isIdempotent: Bool, hasNoSideEffects: Bool, role: Role,
        index: Int?
    ) {
        self.service = service
        self.method = method
        self.path = "\(service)/\(method)"
        self.kind = kind
        self.isIdempotent = isIdempotent
        self.hasNoSideEffects = hasNoSideEffects
        self.role = role
        neededRoles = Roles(needed: role)
        self.index = index
    }

    /// The same method, as the one with this index in its router.
    func numbered(_ index: Int) -> MethodDescriptor {
        MethodDescriptor(
            service, method, kind, isIdempotent: isIdempotent, hasNoSideEffects: hasNoSideEffects, role: role,
            index: index)
    }

    package static func == (left: MethodDescriptor, right: MethodDescriptor) -> Bool { left.path == right.path }
    package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
