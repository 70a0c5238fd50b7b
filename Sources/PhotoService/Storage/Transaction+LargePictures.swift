import Storage

extension Transaction {
    /// Drops the large pictures that were made longest ago, when all together have more than `limit` bytes: a tenth
    /// more than is needed, and never the one of `id`. Gives the names of bytes that nothing needs any more.
    func evictLarge(limit: Int64, but id: PhotoID) throws(SQLError) -> [BlobName] {
        var used = try largeBytes()
        guard used > limit else { return [] }
        var evicted: [BlobName] = []
        for picture in try oldestLarge(but: id) {
            guard used > limit / 10 * 9 else { break }
            try execute("DELETE FROM pictures WHERE photo_id = ?1 AND size = 2", picture.id)
            used -= picture.byteCount
            if try !isNeeded(picture.name) { evicted.append(picture.name) }
        }
        return evicted
    }

    private struct Large {
        let id: String
        let byteCount: Int64
        let name: BlobName
    }

    private func largeBytes() throws(SQLError) -> Int64 {
        try first("SELECT coalesce(sum(byte_count), 0) FROM pictures WHERE size = 2") { row throws(SQLError) in
            try row.integer(0)
        } ?? 0
    }

    /// As many as are dropped at once; the next picture drops more.
    private func oldestLarge(but id: PhotoID) throws(SQLError) -> [Large] {
        try rows(
            """
            SELECT photo_id, byte_count, blob FROM pictures WHERE size = 2 AND photo_id <> ?1
            ORDER BY made_ms, photo_id LIMIT 1000
            """, id.text
        ) { row throws(SQLError) in
            Large(id: try row.text(0), byteCount: try row.integer(1), name: try row.blobName(2))
        }
    }

    private func isNeeded(_ name: BlobName) throws(SQLError) -> Bool {
        try first("SELECT 1 FROM pictures WHERE blob = ?1 LIMIT 1", name) { row throws(SQLError) in
            try row.integer(0)
        } != nil
    }
}
