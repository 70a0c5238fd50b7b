/// What the client of an account has shown.
package enum Credential: Hashable, Sendable {
    /// Nothing: open mode.
    case nothing
    /// A token of the deployment.
    case token
    /// A session of a person who has logged in, by its id.
    case session(String)
    /// A key for programs, by its id. One that only reads may make no call that changes something.
    case key(String, isReadOnly: Bool)

    package var isReadOnly: Bool {
        if case .key(_, isReadOnly: true) = self { return true }
        return false
    }
}
