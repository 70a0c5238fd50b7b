import Geo
import LiveNetworks
import Networks
import Storage
import Stores

/// The photos that one network has listed.
struct FoundPhotos: FoundItems {
    /// Those that each account asks for itself.
    static let networks = Network.ofAreas.names

    let network: String
    let store: PhotoStore
    /// The name under which its cells are stored, where that is not the network's.
    var area = ""
    /// The key that shows them to its account alone; nil for what all see.
    var key: NetworkKey?

    /// Photos that a key showed are not stored when the key was deleted meanwhile.
    func upsert(_ items: [FoundPhoto], seen: Int64, for account: String) async throws {
        if items.isEmpty { return }
        let (key, area) = (key, area)
        try await store.write { transaction throws(SQLError) in
            if let key, try transaction.networkKey(key.id) == nil { return }
            for item in items {
                try transaction.putFoundPhoto(item.photo, seen: seen, area: area)
                if let key {
                    try transaction.setShown(item.photo.id, to: key.account)
                } else {
                    try transaction.ownPhoto(item.photo.id, account)
                }
            }
        }
    }

    func removeUnseen(
        in cells: [GridCell], since time: Int64, isListed: @escaping @Sendable (String) -> Bool, for account: String
    ) async throws {
        let (network, area, account) = (network, area, key?.account)
        try await store.write { transaction throws(SQLError) in
            for cell in cells {
                for id in try transaction.unseen(network, area, in: cell, since: time) where isListed(id.providerID) {
                    // Of what is only shown through nothing is left.
                    if let account {
                        _ = try transaction.deletePhoto(id, of: account)
                    } else {
                        try transaction.setGone(id)
                    }
                }
            }
        }
    }

    func count(around centre: Coordinate, radiusMetres: Double, for account: String) async throws -> Int {
        let network = network
        return try await store.read { transaction throws(SQLError) in
            var count = 0
            try transaction.forEachPhoto(ofAlbums: true, of: account, around: centre, radiusMetres: radiusMetres) {
                row throws(SQLError) in
                guard try row.photoID(2).network == network else { return }
                if centre.metres(to: try row.coordinate(0)) <= radiusMetres { count += 1 }
            }
            return count
        }
    }
}

extension Transaction {
    /// Stores a photo that was in an answer at a time; an unchanged one keeps its version.
    /// - Parameter area: the name of the cells that list it; empty for that of its network.
    func putFoundPhoto(_ photo: Photo, seen: Int64, area: String = "") throws(SQLError) {
        // One that all see stays what it is.
        let isShared =
            try first(
                "SELECT 1 FROM photos WHERE id = ?1 AND grid_cell = -1 AND cell <> -1 AND owner = ''", photo.id.text
            ) { row throws(SQLError) in try row.integer(0) } != nil
        if try !isStored(photo) { try putPhoto(photo) }
        if isShared { return }
        try execute(
            "UPDATE photos SET seen_ms = ?2, grid_cell = ?3, area = ?4 WHERE id = ?1", photo.id.text, seen,
            GridCell(of: photo.position).number, area)
    }

    /// A photo that is shown through from where its account keeps it: nothing has to be fetched first.
    func setShown(_ id: PhotoID, to account: String) throws(SQLError) {
        try execute("UPDATE photos SET owner = ?2, state = 3 WHERE id = ?1", id.text, account)
    }

    private func isStored(_ photo: Photo) throws(SQLError) -> Bool {
        guard var known = try self.photo(photo.id), try isSomewhere(photo.id) else { return false }
        known.picture = photo.picture
        return known == photo
    }

    private func isSomewhere(_ id: PhotoID) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM photos WHERE id = ?1 AND cell <> -1", id.text) { row throws(SQLError) in
            try row.integer(0)
        } != nil
    }

    /// Deletes photos of networks whose cell is not known any more, that no album contains and that are no favourites,
    /// at most `limit` of them; returns how many. A pin that is dropped there finds them again.
    func dropExpired(limit: Int) throws(SQLError) -> Int {
        let expired = try rows(
            """
            SELECT id FROM photos WHERE grid_cell <> -1
                AND NOT EXISTS (SELECT 1 FROM grid_cells
                    WHERE grid_cells.cell = photos.grid_cell AND (grid_cells.network = photos.area
                        OR substr(grid_cells.network, 1, length(photos.network) + 5) = photos.network || ' for '))
                AND NOT EXISTS (SELECT 1 FROM album_photos WHERE photo_id = photos.id)
                AND NOT EXISTS (SELECT 1 FROM removals WHERE photo_id = photos.id)
                AND NOT EXISTS (SELECT 1 FROM favourites WHERE photo_id = photos.id)
            LIMIT ?1
            """, limit
        ) { row throws(SQLError) in try row.text(0) }
        for id in expired { try dropPhoto(id) }
        return expired.count
    }

    /// The photos of a network, or of an area of it, in a cell that no answer since a time has listed.
    func unseen(
        _ network: String, _ area: String, in cell: GridCell, since time: Int64
    ) throws(SQLError) -> [PhotoID] {
        try rows(
            """
            SELECT id FROM photos
            WHERE network = ?1 AND grid_cell = ?2 AND seen_ms < ?3 AND cell <> -1 AND area = ?4
            """, network, cell.number, time, area
        ) { row throws(SQLError) in try row.photoID(0) }
    }
}
