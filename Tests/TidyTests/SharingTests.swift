import Testing

/// What is scarce is shared by one rule: threads and turns by `FairQueue`, amounts by `FairShares`. So all threads that
/// a client can make busy are those of a `BlockingPool`, all turns are `FairSlots`; whatever else makes a thread or a
/// queue is here, with the reason.
@Suite("What is scarce is shared by one rule")
struct SharingTests {
    private struct Maker: CustomTestStringConvertible {
        let call: String
        /// Files that make one, and why that is no way around the rule.
        let files: [String: String]
        var testDescription: String { call }
    }

    private static let makers = [
        Maker(
            call: "PosixThread(",
            files: [
                "Sources/EventLoops/BlockingPool.swift": "the rule itself",
                "Sources/EventLoops/EventLoop.swift": "loops run everybody's tasks, and nothing long",
                "Sources/Storage/SQL/Threads/ThreadCrew.swift": "transactions are short, and have a deadline",
                "Sources/Storage/SQL/PostgreSQL/PostgresCancel.swift": "ends a statement whose deadline has passed",
                "Sources/Daemon/Signals.swift": "no client's", "Sources/Daemon/Log.swift": "no client's",
            ]),
        Maker(
            call: "WorkQueue(",
            files: [
                "Sources/Storage/SQL/Database.swift": "transactions are short, and have a deadline",
                "Sources/Storage/SQL/PostgreSQL/PostgresNotices.swift": "no client's",
            ]),
        Maker(
            call: "FairQueue<",
            files: [
                "Sources/Budgets/FairQueue.swift": "the rule itself",
                "Sources/EventLoops/BlockingPool.swift": "threads", "Sources/EventLoops/FairSlots.swift": "turns",
                "Sources/RPC/Server/Admission/AdmissionQueue.swift": "calls",
            ]),
        Maker(
            call: "FairShares(",
            files: [
                "Sources/Budgets/MemoryBudget.swift": "memory", "Sources/Budgets/ClientKey.swift": "what is open",
                "Sources/Budgets/FairQueue.swift": "places to wait",
                "Sources/LiveNetworks/NetworkSearches.swift": "searches of a network",
            ]),
        Maker(
            call: "ClientCounter(",
            files: [
                "Sources/RPC/Server/Server.swift": "connections, streams, handshakes",
                "Sources/HTTP/Server/HTTPServer.swift": "connections",
            ]),
        Maker(
            call: "BlockingPool(",
            files: [
                "Sources/Daemon/ServiceProgram.swift": "what blocks in a service",
                "Sources/Accounts/PasswordHasher.swift": "hashes of passwords",
                "Sources/Gateway/Maps/MapPictures.swift": "pictures of the map",
                "Sources/Gateway/HTTP/Connect/LargeMessages.swift": "large messages",
                "Sources/PhotoService/Decoders/PictureDecoders.swift": "decoders",
                "Sources/PlacesService/Import/ImportQueue.swift": "imports of places",
                "Sources/PlacesService/Verify/Verifier.swift":
                    "comparisons, of which those that find no room are left out",
                "Sources/Mail/MailSender.swift": "mail, which jobs send",
            ]),
        Maker(
            call: "FairSlots(",
            files: [
                "Sources/LiveNetworks/NetworkQueue.swift": "requests to a network",
                "Sources/PinService/Handlers/PinFileHandler.swift": "imports of pins",
                "Sources/PhotoService/Storage/PictureStore.swift": "large pictures, and uploads that end",
                "Sources/PlacesService/Shared/SharedCatalog.swift": "reading a catalog anew",
            ]),
    ]
    /// Programs of one person.
    private static let clients = ["Sources/Waymark/", "Sources/LoadTest/", "Sources/Supervisor/", "Benchmarks/"]

    @Test("nothing else makes threads and queues", arguments: makers)
    private func made(_ maker: Maker) {
        let sources = SourceTree.sources.filter { file in !Self.clients.contains { file.path.hasPrefix($0) } }
        var found: Set<String> = []
        for file in sources where file.code.contains(where: { $0.contains(maker.call) }) {
            found.insert(file.path)
            if maker.files[file.path] == nil {
                Issue.record("\(file.path) makes a \(maker.call.dropLast()): share it by the rule, and say here why")
            }
        }
        for file in maker.files.keys where !found.contains(file) {
            Issue.record("\(file) makes no \(maker.call.dropLast()) any more")
        }
    }
}
