package import Wire

/// A set of roles, as bits.
package struct Roles: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let user = Roles(of: .user)
    package static let service = Roles(of: .service)
    package static let admin = Roles(of: .admin)
    /// All that an account can have.
    package static let ofAccounts: Roles = [.user, .admin]
    /// The roles of every service: it also does what users may, in their names.
    package static let ofServices: Roles = [.user, .service]

    /// Those of the list that are known.
    package init(_ list: [Role]) {
        self = list.filter { Role.names[$0] != nil }.reduce(into: []) { $0.formUnion(Roles(of: $1)) }
    }

    /// The role that callers of a method need. Without one, or with an unknown one, it is the first bit, which is in no
    /// set that comes of a list: such a method is for no caller at all.
    init(needed role: Role) {
        self = role == .anyone ? [] : Role.names[role] == nil ? Roles(of: .unspecified) : Roles(of: role)
    }

    private init(of role: Role) { rawValue = 1 << UInt8(truncatingIfNeeded: role.rawValue) }

    /// The roles of the set, as an identity has them.
    package var list: [Role] { Role.names.keys.filter { contains(Roles(of: $0)) }.sorted { $0.rawValue < $1.rawValue } }
}

extension Role {
    /// The roles that callers can have, as people write them.
    package static let names: [Role: String] = [.user: "user", .service: "service", .admin: "admin"]
}

extension MethodDescriptor {
    /// Refuses a caller with these roles, unless the one that the method needs is among them, and one that only reads
    /// unless the method changes nothing.
    package func check(_ roles: Roles, _ credential: Credential = .token) throws(RPCError) {
        if credential.isReadOnly, !hasNoSideEffects, role != .anyone {
            throw RPCError(.permissionDenied, "\(path) changes something, and this key only reads")
        }
        guard !roles.isSuperset(of: neededRoles) else { return }
        let needed = Role.names[role].map { "the role \($0)" } ?? "a role that no caller has"
        let has = roles.list.compactMap { Role.names[$0] }.joined(separator: " and ")
        throw RPCError(.permissionDenied, "\(path) needs \(needed); this caller has \(has.isEmpty ? "none" : has)")
    }
}
