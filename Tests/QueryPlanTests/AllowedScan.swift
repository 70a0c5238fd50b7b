/// A statement that reads a whole table, and why it may.
struct AllowedScan {
    let table: String
    /// How the statement begins.
    let beginning: String

    static let all: [AllowedScan] =
        // A row for each replica, network or dataset.
        scans("replicas", "DELETE FROM replicas WHERE alive_until_ms <", "SELECT name FROM replicas WHERE name <>")
        + scans("network_switches", "SELECT network, is_on,") + scans("datasets", "SELECT name, generation, snapshot")
        // A few uploads of datasets at once.
        + scans(
            "uploads", "SELECT count(*) FROM uploads", "SELECT id, taker FROM uploads",
            "SELECT id FROM uploads WHERE taker")
        // Before all of them are moved elsewhere.
        + scans("datasets", "DELETE FROM datasets") + scans("uploads", "DELETE FROM uploads")
        + scans("upload_chunks", "DELETE FROM upload_chunks")
        // No more than the limit of what waits, and of challenges.
        + scans("mail", "SELECT count(*) FROM (SELECT 1 FROM mail LIMIT")
        + scans(
            "passkey_challenges",
            "DELETE FROM passkey_challenges WHERE digest IN (SELECT digest FROM passkey_challenges ORDER")
        // The newest of all, in the order of an index.
        + scans(
            "posts",
            "SELECT id, account, author, place, link, latitude_e7, longitude_e7, updated_ms FROM posts ORDER BY")
        + scans("security_events", "SELECT id, time_ms, account, kind, address, device FROM security_events ORDER BY")
        // At a start.
        + scans("pins", "SELECT pins.account, coalesce(")
        + scans("subjects", "SELECT pins.account, coalesce(")
        + scans("posts", "SELECT id, latitude_e7, longitude_e7 FROM")
        + scans("grid_cells", "UPDATE grid_cells SET lease = 0")
        // When an administrator looks at what is left out.
        + scans("unusable_files", "SELECT count(*) FROM unusable_files")
        // When a network was switched on, or the photo service came back with other data.
        + scans("pins", "SELECT id, account FROM pins", "UPDATE pins SET album_generation = 0")
        + scans("pins", "SELECT id FROM pins WHERE NOT EXISTS", "SELECT DISTINCT pins.id FROM pins JOIN pin_searches")
        + scans(
            "pin_searches", "SELECT id FROM pins WHERE NOT EXISTS",
            "SELECT DISTINCT pins.id FROM pins JOIN pin_searches")
        + scans("links", "UPDATE links SET is_told = FALSE")
        + scans("neighbours", "UPDATE neighbours SET is_told = FALSE")
        // PostgreSQL reads a table that is empty at once for an EXISTS; one with a million photos by their ids.
        + scans("photos", "WITH ranges (first, last) AS")
        // Upkeep, once an hour: a part of an index that has only what networks listed.
        + scans("photos", "SELECT id FROM photos WHERE grid_cell <> -1")

    private static func scans(_ table: String, _ beginnings: String...) -> [AllowedScan] {
        beginnings.map { AllowedScan(table: table, beginning: $0) }
    }

    func allows(_ table: String, _ statement: SQLText) -> Bool {
        table == self.table && statement.text.hasPrefix(beginning)
    }
}
