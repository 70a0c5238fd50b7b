import RPC
import Storage
import Stores

/// What files say of places without saying where they are.
struct UnplacedPart: PinPart {
    static let migrations = [UnplacedSchema.migration]

    let services: [any RPCService]

    init(_ house: PinHouse) {
        services = [UnplacedHandler(store: house.store, clock: house.clock, places: house.places)]
    }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute("DELETE FROM unplaced_pins WHERE account = ?1", account)
    }
}
