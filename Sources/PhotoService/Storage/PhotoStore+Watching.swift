import EventLoops
import Storage
import Stores
import Synchronization

extension PhotoStore {
    /// What the watcher of an album doesn't know yet; nil when that is nothing. A pin that nothing is known of, and
    /// that was not told of before, may still come.
    func news(for watch: AlbumWatch) async throws(StoreError) -> AlbumNews? {
        try await read { transaction throws(SQLError) in try transaction.news(for: watch) }
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
    fileprivate func news(for watch: AlbumWatch) throws(SQLError) -> AlbumNews? {
        let page = AlbumPage(subject: watch.subject, account: watch.account)
        guard let album = try album(watch.subject, for: watch.account) else { return watch.isKnown ? .gone : nil }
        guard album.version != watch.version || !watch.isKnown else { return nil }
        let isWhole = !watch.isKnown || album.version < watch.version || album.listVersion > watch.version
        let entries = isWhole ? try shownPhotos(page) : try changedPhotos(page, after: watch.version)
        return .album(AlbumAnswer(album, entries, size: page.size), isWhole: isWhole)
    }
}
