import Daemon
import RPC
import Storage
import Stores

/// Links that show a pin or a list, and what accounts share with each other.
struct SharingPart: PinPart {
    static let migrations = ShareSchema.migrations

    let services: [any RPCService]

    init(_ house: PinHouse) {
        let (store, clock) = (house.store, house.clock)
        let shares = ShareHandler(
            store: store, clock: clock, key: house.runtime.key, passwords: house.passwords,
            isOn: house.config.allowsShares)
        services = [
            shares, ShareLinkHandler(shares: shares), GrantHandler(store: store, clock: clock),
            GrantCheckHandler(store: store),
        ]
    }

    static func remove(_ pin: PinID, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.deleteShares(of: pin)
    }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute("DELETE FROM shares WHERE account = ?1", account)
        try transaction.execute("DELETE FROM grants WHERE account = ?1", account)
        try transaction.execute("DELETE FROM grants WHERE guest = ?1", account)
        try transaction.execute("DELETE FROM log_in_attempts WHERE name = 'grant/' || ?1", account)
    }
}
