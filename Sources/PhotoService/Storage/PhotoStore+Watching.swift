import ServiceRuntime
import Storage
import Synchronization

extension PhotoStore {
    /// What those who watch albums don't know yet. A pin that nothing is known of, and that was not told of before, may
    /// still come.
    func news(for cursors: [AlbumWatch.Cursor]) async throws(StoreError) -> [AlbumNews] {
        try await read { transaction throws(SQLError) in
            var news: [AlbumNews] = []
            for cursor in cursors {
                if let found = try transaction.news(for: cursor) { news.append(found) }
            }
            return news
        }
    }

    /// Returns when something was changed since `count` was read, after `pace` at the earliest. Throws when the service
    /// stops.
    func waitForChange(after count: Int, pace: Duration) async throws {
        try await Task.sleep(for: pace)
        await changes.wait(after: count)
        try Task.checkCancellation()
        if isLeaving.load(ordering: .acquiring) { throw PhotoError.stopping }
    }

    /// Ends all watches.
    func leave() {
        isLeaving.store(true, ordering: .releasing)
        changes.ring()
    }
}

extension Transaction {
    fileprivate func news(for cursor: AlbumWatch.Cursor) throws(SQLError) -> AlbumNews? {
        let page = AlbumPage(subject: cursor.subject, account: cursor.account)
        guard let album = try album(cursor.subject, for: cursor.account) else {
            return cursor.isKnown ? .gone(cursor.subject) : nil
        }
        guard album.version != cursor.version || !cursor.isKnown else { return nil }
        let isWhole = !cursor.isKnown || album.version < cursor.version || album.listVersion > cursor.version
        let entries = isWhole ? try shownPhotos(page) : try changedPhotos(page, after: cursor.version)
        return .album(AlbumAnswer(album, entries, size: page.size), isWhole: isWhole)
    }
}
