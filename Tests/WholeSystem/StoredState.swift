import CSQLite
import TestSupport

/// What the services have stored, read from their files when they have stopped.
package struct StoredState {
    /// The folder that `waymark up` kept everything in.
    package let data: String

    package init(data: String) { self.data = data }

    /// What is orphaned, doubled, half done or damaged.
    package func differences() async throws -> [String] {
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
    package func waiting() async throws -> [String] {
        try await BlockingCalls.run {
            try Self.texts("\(data)/pins/pins.db", [FaultQueries.untold] + FaultQueries.always)
                + Self.texts("\(data)/photos/photos.db", FaultQueries.always)
        }
    }

    /// The first column of all rows.
    package static func texts(_ path: String, _ queries: [StaticString]) throws -> [String] {
        var file: OpaquePointer?
        defer { unsafe sqlite3_close(file) }
        guard unsafe sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw RunFailure.lost("database \(path), which can't be opened,")
        }
        unsafe sqlite3_busy_timeout(file, 10_000)
        var texts: [String] = []
        for query in queries {
            var statement: OpaquePointer?
            defer { unsafe sqlite3_finalize(statement) }
            var result = unsafe sqlite3_prepare_v2(file, "\(query)", -1, &statement, nil)
            while result == SQLITE_OK || result == SQLITE_ROW {
                result = unsafe sqlite3_step(statement)
                if result == SQLITE_ROW {
                    texts.append(unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) } ?? "")
                }
            }
            guard result == SQLITE_DONE else {
                throw RunFailure.lost("what \"\(query)\" reads of \(path)")
            }
        }
        return texts
    }
}
