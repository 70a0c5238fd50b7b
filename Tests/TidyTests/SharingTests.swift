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
                "Sources/Ground/EventLoops/BlockingPool.swift": "the rule itself",
                "Sources/Ground/EventLoops/EventLoop.swift": "loops run everybody's tasks, and nothing long",
                "Sources/Store/Storage/SQL/Threads/ThreadCrew.swift": "transactions are short, and have a deadline",
                "Sources/Store/Storage/SQL/PostgreSQL/PostgresCancel.swift":
                    "ends a statement whose deadline has passed",
                "Sources/Services/Daemon/Signals.swift": "no client's",
                "Sources/Services/Daemon/Log.swift": "no client's",
            ]),
        Maker(
            call: "WorkQueue(",
            files: [
                "Sources/Store/Storage/SQL/Database.swift": "transactions are short, and have a deadline",
                "Sources/Store/Storage/SQL/PostgreSQL/PostgresNotices.swift": "no client's",
            ]),
        Maker(
            call: "FairQueue<",
            files: [
                "Sources/Ground/Budgets/FairQueue.swift": "the rule itself",
                "Sources/Ground/EventLoops/BlockingPool.swift": "threads",
                "Sources/Ground/EventLoops/FairSlots.swift": "turns",
                "Sources/Net/RPC/Server/Admission/AdmissionQueue.swift": "calls",
            ]),
        Maker(
            call: "FairShares(",
            files: [
                "Sources/Ground/Budgets/MemoryBudget.swift": "memory",
                "Sources/Ground/Budgets/ClientKey.swift": "what is open",
                "Sources/Ground/Budgets/FairQueue.swift": "places to wait",
                "Sources/Services/LiveNetworks/NetworkSearches.swift": "searches of a network",
            ]),
        Maker(
            call: "ClientCounter(",
            files: [
                "Sources/Net/RPC/Server/Server.swift": "connections, streams, handshakes",
                "Sources/Net/HTTP/Server/HTTPServer.swift": "connections",
            ]),
        Maker(
            call: "BlockingPool(",
            files: [
                "Sources/Services/Daemon/ServiceProgram.swift": "what blocks in a service",
                "Sources/Logins/Accounts/PasswordHasher.swift": "hashes of passwords",
                "Sources/Services/Gateway/Maps/MapPictures.swift": "pictures of the map",
                "Sources/Services/Gateway/HTTP/Connect/LargeMessages.swift": "large messages",
                "Sources/Services/PhotoService/Decoders/PictureDecoders.swift": "decoders",
                "Sources/Services/PlacesService/Import/ImportQueue.swift": "imports of places",
                "Sources/Services/PlacesService/Verify/Verifier.swift":
                    "comparisons, of which those that find no room are left out",
                "Sources/Net/Mail/MailSender.swift": "mail, which jobs send",
                "Sources/Store/Backups/Shipping/ShippingConfig.swift": "what is stored elsewhere, whatever clients do",
            ]),
        Maker(
            call: "FairSlots(",
            files: [
                "Sources/Services/LiveNetworks/NetworkQueue.swift": "requests to a network",
                "Sources/Services/PinService/Files/PinFileHandler.swift": "imports of pins",
                "Sources/Services/PhotoService/Jobs/SmallPictures.swift": "small pictures that a map shows",
                "Sources/Services/PhotoService/Storage/PictureStore.swift": "large pictures, and uploads that end",
                "Sources/Services/PlacesService/Shared/SharedCatalog.swift": "reading a catalog anew",
            ]),
    ]
    /// Programs of one person.
    private static let clients = [
        "Sources/Programs/Waymark/", "Sources/Programs/LoadTest/", "Sources/Programs/Supervisor/", "Benchmarks/",
    ]

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
