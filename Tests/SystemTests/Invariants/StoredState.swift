import TestSupport
import TestTools

@testable import Storage

/// What the services have stored, read from their files when they have stopped.
struct StoredState {
    /// The folder that `waymark up` kept everything in.
    let data: String

    /// Queries that must find nothing.
    private static let pinQueries: [StaticString] = [
        "SELECT 'link of no pin ' || hex(pin) FROM links WHERE pin NOT IN (SELECT id FROM pins)",
        "SELECT 'search of no pin ' || hex(pin) FROM pin_searches WHERE pin NOT IN (SELECT id FROM pins)",
        "SELECT 'place that nobody was told of: ' || place FROM links WHERE is_told = FALSE",
    ]
    private static let photoQueries: [StaticString] = [
        "SELECT 'photo of no album ' || subject FROM album_photos WHERE subject NOT IN (SELECT subject FROM albums)",
        "SELECT 'no such photo: ' || photo_id FROM album_photos WHERE photo_id NOT IN (SELECT id FROM photos)",
        "SELECT 'picture of no photo ' || photo_id FROM pictures WHERE photo_id NOT IN (SELECT id FROM photos)",
        "SELECT 'two photos at one place of ' || subject FROM album_photos GROUP BY subject, ordinal HAVING count(*) > 1",
        "SELECT 'removal in no album ' || subject FROM removals WHERE subject NOT IN (SELECT subject FROM albums)",
        "SELECT 'shown in no album ' || subject FROM album_shown WHERE subject NOT IN (SELECT subject FROM albums)",
        "SELECT 'album of an unknown place ' || subject FROM albums WHERE subject LIKE 'place/%' AND substr(subject, 7) NOT IN (SELECT place FROM search_places)",
    ]

    /// What is orphaned, doubled, half done or damaged.
    func differences() async throws -> [String] {
        try await BlockingCalls.run {
            let (pins, photos) = ("\(data)/pins/pins.db", "\(data)/photos/photos.db")
            let blobs = BlobFolder(path: "\(data)/photos/blobs")
            let named = Set(try Self.texts(photos, ["SELECT lower(hex(blob)) FROM pictures"]))
            var found = try Self.texts(pins, Self.pinQueries + Self.always)
            found += try Self.texts(photos, Self.photoQueries + Self.always)
            found += blobs.names.subtracting(named).map { "blob that no picture names: \($0)" }
            found += named.subtracting(blobs.names).map { "picture without its blob: \($0)" }
            found += blobs.unfinished.map { "file that was not finished: \($0)" }
            return found + (try blobs.damaged.map { "blob of other bytes: \($0)" })
        }
    }

    private static let always: [StaticString] = [
        "SELECT 'job that waits: ' || kind || ' ' || key || ' ' || reason FROM jobs WHERE kind <> 'sweep'"
    ]

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
