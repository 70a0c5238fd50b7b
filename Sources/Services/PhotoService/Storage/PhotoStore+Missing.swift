import EventLoops
import Files
import Storage
import Stores

extension PhotoStore {
    /// How many of the pictures that rows name are not in a folder of blobs. None where there is no such folder: then
    /// the rows alone are looked at.
    func missingPictures(in folder: String, _ blocking: BlockingPool) async throws -> (count: Int, of: Int) {
        guard try await blocking.run({ DiskFile.isFolder(folder) }) else { return (0, 0) }
        let blobs = try await DirectoryBlobs.opened(folder, blocking)
        var (missing, all, last): (Int, Int, BlobName?) = (0, 0, nil)
        while case let names = try await pictureNames(after: last), !names.isEmpty {
            for name in names where try await !blobs.contains(name) { missing += 1 }
            all += names.count
            last = names.last
        }
        return (missing, all)
    }

    /// The names of some pictures, in order.
    private func pictureNames(after name: BlobName?) async throws(StoreError) -> [BlobName] {
        try await read { transaction throws(SQLError) in
            try transaction.rows(
                """
                SELECT DISTINCT name FROM (
                    SELECT blob AS name FROM pictures WHERE ?1 IS NULL OR blob > ?1
                    UNION ALL SELECT webp FROM pictures WHERE webp IS NOT NULL AND (?1 IS NULL OR webp > ?1)) AS names
                ORDER BY name LIMIT 1000
                """, name
            ) { row throws(SQLError) in BlobName(bytes: try row.blob(0)) }.compactMap(\.self)
        }
    }
}
