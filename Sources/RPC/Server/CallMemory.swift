import Budgets
import Wire

/// The memory that a connection holds for its client's calls.
struct CallMemory: ~Copyable {
    /// Bytes that a call holds besides its request: its task, its context and its place in the tables.
    private static let bytesPerCall = 512
    /// A request is held twice: as received, and decoded or copied to be passed on.
    private static let copies = 2

    private var calls: MemoryAccount
    private var streams: MemoryAccount
    private var heldByCalls = 0

    init(_ budget: MemoryBudget, _ client: ClientKey, _ standing: ClientStanding) {
        calls = MemoryAccount(budget, client, standing, .calls)
        streams = MemoryAccount(budget, client, standing, .streams)
    }

    /// How far the client is trusted; it can only rise.
    mutating func raise(_ standing: ClientStanding) {
        guard standing.rawValue < calls.standing.rawValue else { return }
        calls.standing = standing
        streams.standing = standing
    }

    /// Reserves memory for a call with a request of so many bytes. Returns what is to be released when its handler
    /// ends.
    mutating func begin(_ requestBytes: Int) throws(RPCError) -> Int {
        let bytes = Self.bytesPerCall + Self.copies * requestBytes
        guard calls.hold(heldByCalls + bytes) else { throw .noMemory }
        heldByCalls += bytes
        return bytes
    }

    mutating func end(_ bytes: Int) {
        heldByCalls -= bytes
        _ = calls.hold(heldByCalls)
    }

    /// Reserves memory for the windows of all request streams together; false when there is none.
    mutating func open(windows bytes: Int) -> Bool { streams.hold(bytes) }
}

extension RPCError {
    /// The server's memory for all clients, or for this one, is used up.
    package static var noMemory: RPCError {
        RPCError(
            .resourceExhausted, "the server has no memory left for this client's calls; it has when fewer are open",
            details: StatusDetails(retryAfterMs: 1000))
    }
}
