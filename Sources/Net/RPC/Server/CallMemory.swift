import Budgets
import Wire

/// The memory that a connection holds for its client's calls.
struct CallMemory: ~Copyable {
    /// Bytes that a unary call holds besides its request: its context and its place in the tables.
    private static let bytesPerCall = 512
    /// Bytes of a task that runs unary calls. It stays when its call has ended.
    private static let bytesPerTask = 2 << 10
    /// Bytes of a stream, with its task and what passes it on; 7 KiB as measured at a gateway.
    static let bytesPerStream = 8 << 10
    /// A request, and what comes with it, is held twice: as received, and decoded or copied to be passed on.
    private static let copies = 2

    /// The kinds of calls, by what they need.
    enum Kind {
        /// `needsTask`: none waits for a call.
        case unary(needsTask: Bool)
        case stream
    }

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

    /// Reserves memory for a call whose frame has so many bytes of payload. Returns what is to be released when its
    /// handler ends.
    mutating func begin(_ kind: Kind, frameBytes: Int) throws(RPCError) -> Int {
        var (bytes, task) = (Self.copies * frameBytes, 0)
        switch kind {
        case .unary(let needsTask):
            bytes += Self.bytesPerCall
            task = needsTask ? Self.bytesPerTask : 0
        case .stream: bytes += Self.bytesPerStream
        }
        guard calls.hold(heldByCalls + bytes + task) else { throw .noMemory }
        heldByCalls += bytes + task
        return bytes
    }

    mutating func end(_ bytes: Int) {
        heldByCalls -= bytes
        _ = calls.hold(heldByCalls)
    }

    /// A task for unary calls has ended.
    mutating func taskEnded() { end(Self.bytesPerTask) }

    /// Gives back what was kept for the next call.
    mutating func settle() { calls.settle(at: heldByCalls) }

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
