import RPC
import Storage
import Stores

/// Places that an account has given a star.
struct StarsPart: PinPart {
    static let migrations = [StarSchema.migration]

    let services: [any RPCService]

    init(_ house: PinHouse) { services = [StarHandler(store: house.store, clock: house.clock)] }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute("DELETE FROM stars WHERE account = ?1", account)
    }
}
