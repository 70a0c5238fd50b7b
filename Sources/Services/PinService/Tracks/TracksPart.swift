import Daemon
import RPC
import Storage
import Stores

/// Tracks that files have brought.
struct TracksPart: PinPart {
    static let migrations = [TrackSchema.migration, TrackSchema.details]

    let services: [any RPCService]

    init(_ house: PinHouse) { services = [TrackHandler(store: house.store, blocking: house.runtime.blocking)] }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute("DELETE FROM tracks WHERE account = ?1", account)
    }
}
