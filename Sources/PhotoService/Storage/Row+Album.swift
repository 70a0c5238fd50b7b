import Geo
import Storage
import Stores

extension Album {
    /// Reads all columns of the table, in their order.
    init(_ row: borrowing Row) throws(SQLError) {
        self.init(
            subject: try row.subject(0), account: try row.text(1), generation: try row.integer(2),
            searchedGeneration: try row.integer(3), centre: try row.coordinate(4), radiusMetres: try row.double(6),
            isSearching: try row.bool(7), isOpened: try row.bool(8), collection: try row.integer(9),
            wish: try row.wish(10), collectedMilliseconds: try row.integer(13), nextOrdinal: try row.integer(14),
            counters: try row.counters(15), repeatedCount: try row.integer(18), warning: try row.text(19),
            version: try row.integer(20), listVersion: try row.integer(21))
    }
}

extension Row {
    func subject(_ column: Int) throws(SQLError) -> AlbumSubject {
        let stored = try text(column)
        guard let subject = AlbumSubject(stored) else {
            throw SQLError(.corrupt, "a stored album has the subject \(stored), which is none")
        }
        return subject
    }

    /// Photos, those that are ready, those that failed.
    func counters(_ column: Int) throws(SQLError) -> AlbumCounters {
        AlbumCounters(photos: try integer(column), ready: try integer(column + 1), failed: try integer(column + 2))
    }

    /// The size, whether removed photos are wanted, who asked.
    fileprivate func wish(_ column: Int) throws(SQLError) -> CollectionWish? {
        let size = try integer(column)
        guard size > 0 else { return nil }
        return CollectionWish(
            size: Int(size), includesRemoved: try bool(column + 1), account: try text(column + 2))
    }
}
