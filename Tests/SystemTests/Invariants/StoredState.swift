import TestSupport
import TestTools

@testable import Storage

/// What the services have stored, read from their files when they have stopped.
struct StoredState {
    /// The folder that `waymark up` kept everything in.
    let data: String

    /// What is orphaned, doubled, half done or damaged.
    func differences() async throws -> [String] {
        try await BlockingCalls.run {
            let (pins, photos) = ("\(data)/pins/pins.db", "\(data)/photos/photos.db")
            let blobs = BlobFolder(path: "\(data)/photos/blobs")
            let named = Set(
                try Self.texts(
                    photos,
                    [
                        "SELECT lower(hex(blob)) FROM pictures",
                        "SELECT lower(hex(webp)) FROM pictures WHERE webp IS NOT NULL",
                    ]))
            var found = try Self.texts(pins, FaultQueries.ofPins + FaultQueries.always)
            found += try Self.texts(photos, FaultQueries.ofPhotos + FaultQueries.always)
            found += blobs.names.subtracting(named).map { "blob that no picture names: \($0)" }
            found += named.subtracting(blobs.names).map { "picture without its blob: \($0)" }
            found += blobs.unfinished.map { "file that was not finished: \($0)" }
            return found + (try blobs.damaged.map { "blob of other bytes: \($0)" })
        }
    }

    /// What the services still have to do. What is read is what they have committed, so they may run.
    func waiting() async throws -> [String] {
        try await BlockingCalls.run {
            try Self.texts("\(data)/pins/pins.db", [FaultQueries.untold] + FaultQueries.always)
                + Self.texts("\(data)/photos/photos.db", FaultQueries.always)
        }
    }

    /// The first column of all rows.
    static func texts(_ path: String, _ queries: [StaticString]) throws -> [String] {
        let connection = try SQLiteConnection(path: path, role: .reader, settings: DatabaseSettings())
        try connection.begin(.read)
        var texts: [String] = []
        for query in queries {
            try connection.run(query, []) { row throws(SQLError) in
                texts.append(try row.text(0))
                return true
            }
        }
        connection.rollBack()
        return texts
    }
}
