import RPC
import Storage
import Stores

/// Lists of pins.
struct ListsPart: PinPart {
    static let migrations = [ListSchema.migration]

    let services: [any RPCService]

    init(_ house: PinHouse) { services = [ListHandler(store: house.store, clock: house.clock)] }

    static func remove(_ pin: PinID, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.removeFromLists(pin)
    }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute(
            "DELETE FROM list_pins WHERE list IN (SELECT id FROM lists WHERE account = ?1)", account)
        try transaction.execute("DELETE FROM lists WHERE account = ?1", account)
    }
}
