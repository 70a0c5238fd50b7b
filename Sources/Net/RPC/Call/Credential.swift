/// How the client of an account has proved whose it is.
package enum Credential: Hashable, Sendable {
    /// Nothing: open mode.
    case nothing
    /// A token of the deployment.
    case token
    /// A session of a person who has logged in, by its id.
    case session(String)
    /// A key for programs, by its id. One that only reads may make no call that changes something. `networks`: those
    /// that its calls may have asked; all when empty.
    case key(String, isReadOnly: Bool, networks: Set<String> = [])

    package var isReadOnly: Bool {
        if case .key(_, isReadOnly: true, _) = self { return true }
        return false
    }

    /// The only networks that calls may have asked; nil for all.
    package var networks: Set<String>? {
        guard case .key(_, _, let networks) = self, !networks.isEmpty else { return nil }
        return networks
    }
}
