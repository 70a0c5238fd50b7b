import Daemon
import LiveNetworks
import Storage
import Stores

extension PhotoStore {
    /// Removes a part of what an account has; whether there may be more. Blobs that no row names any more are swept.
    func forgetPart(of account: String, deadline: ContinuousClock.Instant?) async throws(StoreError) -> Bool {
        let now = clock.unixMilliseconds
        return try await write(deadline: deadline) { transaction throws(SQLError) in
            try transaction.forgetPart(of: account, at: now)
        }
    }
}

extension Transaction {
    /// Uploads, albums or keys in one transaction.
    private static var partOfAccount: Int { 50 }

    fileprivate func forgetPart(of account: String, at time: Int64) throws(SQLError) -> Bool {
        let part = Self.partOfAccount
        let photos = try rows(
            "SELECT id FROM photos WHERE owner = ?1 AND owner <> '' ORDER BY id LIMIT ?2", account, part
        ) { row throws(SQLError) in try row.photoID(0) }
        for id in photos { _ = try deletePhoto(id, of: account) }
        let uploads = try rows("SELECT id FROM uploads WHERE account = ?1 LIMIT ?2", account, part) {
            row throws(SQLError) in try row.text(0)
        }
        for id in uploads { try dropUpload(id) }
        let albums = try rows(
            "SELECT subject FROM albums WHERE account = ?1 AND subject > 'pin/' AND subject < 'pin0' LIMIT ?2", account,
            part
        ) { row throws(SQLError) in try row.text(0) }
        for subject in albums { try forgetPin(String(subject.dropFirst(4)), at: time) }
        let keys = try networkKeys(of: account)
        for key in keys.prefix(part) { try deleteNetworkKey(key.key) }
        if [photos.count, uploads.count, albums.count, keys.count].contains(where: { $0 >= part }) { return true }
        for table in Self.tablesOfAccounts { try execute(table, account) }
        for network in FoundPhotos.networks { try forgetCells(of: network, for: account) }
        return false
    }

    private static var tablesOfAccounts: [StaticString] {
        [
            "DELETE FROM favourites WHERE account = ?1", "DELETE FROM removals WHERE account = ?1",
            "DELETE FROM photo_removals WHERE owner = ?1 AND owner <> ''",
            "DELETE FROM enabled_networks WHERE account = ?1", "DELETE FROM requests WHERE account = ?1",
            "DELETE FROM own_photos WHERE account = ?1", "DELETE FROM network_searches WHERE account = ?1",
            "DELETE FROM network_shares WHERE account = ?1",
        ]
    }
}
