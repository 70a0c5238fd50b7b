import Daemon
import EventLoops
import RPC
import Storage
import Stores

/// Files of pins, read and written.
struct FilesPart: PinPart {
    static let migrations = [ImportSchema.migration]

    let services: [any RPCService]

    init(_ house: PinHouse) async throws {
        let blocking = house.runtime.blocking
        let folder = try await blocking.run { [config = house.config] in
            try ImportFolder("\(config.dataFolder)/imports")
        }
        services = [PinFileHandler(store: house.store, clock: house.clock, folder: folder, blocking: blocking)]
    }

    func forget(at now: Int64, limit: Int, _ transaction: borrowing Transaction) throws(SQLError) -> Int {
        try transaction.deleteImportFiles(before: now - PinImport.fileMilliseconds, limit: limit)
    }

    static func erase(_ account: String, at now: Int64, _ transaction: borrowing Transaction) throws(SQLError) {
        try transaction.execute(
            "DELETE FROM pin_import_parts WHERE import_id IN (SELECT id FROM pin_imports WHERE account = ?1)", account)
        try transaction.execute("DELETE FROM pin_imports WHERE account = ?1", account)
    }
}
