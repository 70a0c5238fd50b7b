import EventLoops
import Storage
import Stores

extension PhotoStore {
    /// How many of the pictures that rows name are not in a folder of blobs, or have no bytes there.
    func missingPictures(in folder: String, _ blocking: BlockingPool) async throws -> (Int, of: Int) {
        let blobs = try await DirectoryBlobs.opened(folder, blocking)
        var (missing, all, last): (Int, Int, [UInt8]) = (0, 0, [])
        while case let names = try await pictureNames(after: last), let end = names.last {
            for name in names where try await blobs.count(of: name) ?? 0 == 0 { missing += 1 }
            all += names.count
            last = end.bytes
        }
        return (missing, all)
    }

    /// The names of some pictures, in order.
    private func pictureNames(after name: [UInt8]) async throws(StoreError) -> [BlobName] {
        try await read { transaction throws(SQLError) in
            try transaction.rows(
                """
                SELECT name FROM (
                    SELECT * FROM (SELECT blob AS name FROM pictures WHERE blob > ?1 ORDER BY blob LIMIT 1000) AS one
                    UNION
                    SELECT * FROM (SELECT webp AS name FROM pictures WHERE webp > ?1 ORDER BY webp LIMIT 1000) AS other
                ) AS names ORDER BY name LIMIT 1000
                """, name
            ) { row throws(SQLError) in BlobName(bytes: try row.blob(0)) }.compactMap(\.self)
        }
    }
}
