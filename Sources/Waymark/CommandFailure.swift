/// Why a command could not do its work, when no server said so.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    /// A sentence that the reader can act on.
    let description: String

    init(_ description: String) { self.description = description }
}
