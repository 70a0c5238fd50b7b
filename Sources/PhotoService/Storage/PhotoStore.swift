import Geo
import ServiceRuntime
import Storage

/// The records of all photos, on disk.
struct PhotoStore: Sendable {
    private let database: Database

    /// Opens the database file at `path`, or makes it.
    static func open(
        _ path: String, settings: DatabaseSettings = DatabaseSettings()
    ) async throws(SQLError) -> PhotoStore {
        PhotoStore(database: try await Database.open(path, migrations: Schema.migrations, settings: settings))
    }

    /// Ends what runs and lets go of the file.
    func close() async { await database.close() }

    /// Stores a photo, or replaces the one with its id. It is durable when this returns.
    func put(_ photo: Photo, deadline: ContinuousClock.Instant? = nil) async throws(StoreError) {
        try await StoreError.converting("photos") { () async throws(SQLError) in
            try await database.write(deadline: deadline) { transaction throws(SQLError) in
                try transaction.put(photo)
            }
        }
    }

    /// The photos within the radius, nearest first, on one view of the data.
    func near(_ query: NearQuery, deadline: ContinuousClock.Instant? = nil) async throws(StoreError) -> PhotosFound {
        try await StoreError.converting("photos") { () async throws(SQLError) in
            try await database.read(deadline: deadline) { transaction throws(SQLError) in
                let chosen = try transaction.nearest(query)
                var hits: [PhotosFound.Hit] = []
                for hit in chosen.nearest {
                    guard let photo = try transaction.photo(hit.id) else { continue }
                    hits.append(PhotosFound.Hit(photo: photo, metres: hit.metres))
                }
                return PhotosFound(hits: hits, isTruncated: chosen.isTruncated)
            }
        }
    }
}
