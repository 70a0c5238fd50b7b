import Daemon
import NearRows
import RPC
import Storage
import Stores

/// Where people put themselves on the map.
struct PostsPart: PinPart {
    static let migrations = [PostSchema.migration]

    let handler: PostHandler

    init(_ house: PinHouse) {
        handler = PostHandler(
            house.store.database, clock: house.clock, verifyRate: house.config.verifyRate, log: house.runtime.log)
    }

    var services: [any RPCService] { [handler] }
    var families: [MetricFamily] { handler.near.families }

    func begin() async throws { try await handler.near.load() }
    func run() async { await handler.near.run() }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.erasePost(of: account)
    }
}
