import Budgets
import Wire

/// The memory that a client's calls make its connection hold.
struct CallMemory: ~Copyable {
    /// Bytes that a call holds besides its request: its task, its context and its place in the tables.
    private static let bytesPerCall = 512
    /// A request and what is made of it, or the copy that is passed on.
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

    /// Takes memory for a call with a request of so many bytes. Gives what has to be given back when its handler ends.
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

    /// The windows of all streams of requests have so many bytes; false when there is no memory for them.
    mutating func open(windows bytes: Int) -> Bool { streams.hold(bytes) }
}

extension RPCError {
    /// The server holds as much for its clients, or for this one, as it may.
    package static var noMemory: RPCError {
        RPCError(
            .resourceExhausted, "the server has no memory left for this client's calls; it has when fewer are open",
            details: StatusDetails(retryAfterMs: 1000))
    }
}
