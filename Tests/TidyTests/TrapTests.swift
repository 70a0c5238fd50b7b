import Testing

/// Where a program may end itself, and why nothing from outside can bring it there: no byte of a peer, a file or a
/// client, however many there are of them. Indices and unwrapping are kept by the linter and the compiler; sizes by the
/// budgets; this is the list of what is left. Whoever adds a line has looked.
@Suite("Traps are few, and out of reach")
struct TrapTests {
    static let allowed: [String: String] = [
        // The system refuses what every program needs at its start.
        "EventLoops/PosixThread.swift": "threads are made at the start, never for a client",
        "EventLoops/EventLoop.swift": "keys and epoll of a loop, made at the start; loops and descriptors are ours",
        "EventLoops/HeldWakes.swift": "one key for the process",
        "EventLoops/Listener.swift": "listening sockets, of which there are a few",
        "EventLoops/SystemError.swift": "a descriptor that we closed ourselves",
        "EventLoops/EventLoopGroup.swift": "a setting with a range",
        "Wire/Arena+Thread.swift": "one key for the process",
        "Wire/ArenaState.swift": "the first block of a thread of ours",
        // Memory of a fixed size, while what clients hold is bounded by the budget.
        "Wire/PackingArena.swift": "as much as a message that is held already",
        "Compression/RunningDeflate.swift": "a state of fixed size",
        "Compression/Gunzip.swift": "a state of fixed size", "Compression/Gzip.swift": "a state of fixed size",
        "JSONStream/JSONText.swift": "a state of fixed size", "JSONStream/JSONEvents.swift": "a state of fixed size",
        "TLS/TLSSession.swift": "a state of fixed size, for a connection that was charged",
        // What only our own code says.
        "Wire/PackedMessage.swift": "room is made of the size that the message itself tells",
        "WireJSON/Schema+Embedded.swift": "descriptors that are compiled in",
        "Daemon/Reflection/ReflectionHandler.swift": "descriptors that are compiled in",
        "Arguments/Options.swift": "flags that the program itself names",
        "Daemon/Metrics/MetricFamily.swift": "names in the code",
        "Daemon/Metrics/CallMetrics.swift": "methods of the program's router",
        "RPC/Server/Router.swift": "methods of the program's services",
        "RPC/Frame/ByteBuffer.swift": "counts that the buffer itself gave",
        "RPC/Connection/SendWindow.swift": "one task of ours writes a stream",
        "RPC/Connection/MessageInbox.swift": "one task of ours reads a stream",
        "RPC/Client/Channel.swift": "a call is looked at when it has ended",
        "HTTP/Server/HTTPDaemon+Requests.swift": "libmicrohttpd tells of a socket while it is given it",
        "Gateway/HTTP/Web/JSONTree.swift": "strings in the code",
        "EventLoops/Counting/LoopCounters.swift": "counters of the program's methods",
        "Storage/SQL/SQLite/ConnectionHooks.swift": "what SQLite was given it gives back",
        "Storage/SQL/Threads/Request.swift": "steps of a request of ours", "Storage/SQL/Database.swift": "the same",
        "Geo/Snapshot/SnapshotTree.swift": "a mapping that was opened has an address",
        "Geo/Snapshot/SnapshotBuilder.swift": "sets that the builder itself gave",
        "Geo/Layers/PlaceLayers.swift": "layers that were settled before",
        "Geo/NearestSelection.swift": "a limit that the handler has checked",
        "Geo/Points/PointIndex+Search.swift": "the same",
        "Crypto/HMAC.swift": "the deployment's key, whose length is checked when it is read",
        "Crypto/SealedBytes.swift": "a code of the deployment's key, of which all have the same length",
        "Pictures/PictureMaker.swift": "sides and qualities in the code",
        "LoadTest/Load/LoadClock.swift": "the load tester's own clock",
        "LoadTest/Load/LatencyHistogram.swift": "bits in the code",
    ]

    /// From its module on: "RPC/Server/Router.swift".
    private static func name(of file: TextFile) -> String {
        file.path.split(separator: "/").dropFirst(2).joined(separator: "/")
    }

    private static func traps(_ file: TextFile) -> Int {
        file.code.count { $0.contains("precondition(") || $0.contains("preconditionFailure(") }
    }

    @Test("no source file has one that is not on the list")
    func listed() {
        for file in SourceTree.swift where file.path.hasPrefix("Sources/") && Self.traps(file) > 0 {
            if Self.allowed[Self.name(of: file)] == nil {
                Issue.record(
                    "\(file.path) can end its program: throw, or say in TrapTests why nobody outside gets there")
            }
        }
    }

    @Test("nothing is on the list that has none")
    func used() {
        let files = SourceTree.swift.filter { Self.traps($0) > 0 }.map(Self.name)
        for name in Self.allowed.keys where !files.contains(name) { Issue.record("\(name) has no trap") }
    }
}
