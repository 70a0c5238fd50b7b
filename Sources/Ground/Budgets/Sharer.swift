/// For whom a task works: who takes a share of what is scarce, and how far that client is trusted.
///
/// A server binds it around each handler, so that whatever the handler waits for is waited for in its client's turn. At
/// the edge a client is an address; behind the gateway it is the account, or the address of one who has none.
package struct Sharer: Hashable, Sendable {
    package let client: ClientKey
    package let standing: ClientStanding

    package init(_ client: ClientKey, _ standing: ClientStanding) {
        self.client = client
        self.standing = standing
    }

    /// The process itself, as its jobs are.
    package static let process = Sharer(.process, .trusted)

    /// For whom the current task works.
    @TaskLocal package static var current = Sharer.process
}
