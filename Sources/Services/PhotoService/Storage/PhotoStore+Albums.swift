import Daemon
import EventLoops
import Stores
import Storage
import Synchronization

extension PhotoStore {
    /// A page of an album, from one snapshot of the data.
    func album(_ page: AlbumPage, deadline: ContinuousClock.Instant?) async throws -> AlbumAnswer {
        let answer = try await read(deadline: deadline) { transaction throws(SQLError) in
            try transaction.answer(page)
        }
        guard let answer else { throw PhotoError.noAlbum(page.subject) }
        return answer
    }

    /// The networks that searches of an account ask.
    func enabledNetworks(of account: String) async throws(StoreError) -> EnabledNetworks {
        try await read { transaction throws(SQLError) in try transaction.enabledNetworks(of: account) }
    }

    /// Opens an album and returns its first photos. `networks`: those that are on.
    func open(
        _ page: AlbumPage, at networks: Set<String>, deadline: ContinuousClock.Instant?
    ) async throws -> AlbumAnswer {
        let time = clock.unixMilliseconds
        // Most are open already, and readers don't wait for each other.
        let open = try await read(deadline: deadline) { transaction throws(SQLError) -> AlbumAnswer? in
            guard let album = try transaction.album(page.subject, for: page.account),
                try transaction.isAlbumOpen(album, at: transaction.enabled(networks, for: page.account), at: time)
            else { return nil }
            return try transaction.answer(page)
        }
        if let open { return open }
        let answer = try await write(deadline: deadline) { transaction throws(SQLError) -> AlbumAnswer? in
            guard let album = try transaction.album(page.subject, for: page.account) else { return nil }
            try transaction.openAlbum(album, at: transaction.enabled(networks, for: page.account), at: time)
            return try transaction.answer(page)
        }
        guard let answer else { throw PhotoError.noAlbum(page.subject) }
        return answer
    }
}

extension Transaction {
    func answer(_ page: AlbumPage) throws(SQLError) -> AlbumAnswer? {
        guard let album = try album(page.subject, for: page.account) else { return nil }
        let entries =
            page.isOfRemoved ? try removedPhotos(page) : page.isBestFirst ? try bestPhotos(page) : try shownPhotos(page)
        return AlbumAnswer(album, entries, of: page)
    }

    /// Changes an album that an account sees, and returns its new state.
    func changing(
        _ subject: AlbumSubject, for account: String,
        _ body: (Album) throws(SQLError) -> Result<Void, PhotoError>
    ) throws(SQLError) -> Result<Album, PhotoError> {
        guard let album = try album(subject, for: account) else { return .failure(.noAlbum(subject)) }
        if case .failure(let refusal) = try body(album) { return .failure(refusal) }
        return .success(try self.album(subject, for: account) ?? album)
    }
}

extension PhotoStore {
    /// Records a part of a pin's search; it is durable when this returns.
    func record(_ part: PinSearch, deadline: ContinuousClock.Instant?) async throws {
        let time = clock.unixMilliseconds
        let isTaken = try await write(deadline: deadline) { transaction throws(SQLError) in
            try transaction.recordSearch(part, at: time)
        }
        guard isTaken else { throw PhotoError.noAlbum(part.subject) }
    }

    /// Forgets a pin; it is forgotten for good when this returns.
    func forget(pin: String, of account: String, deadline: ContinuousClock.Instant?) async throws {
        let time = clock.unixMilliseconds
        let isTaken = try await write(deadline: deadline) { transaction throws(SQLError) in
            guard try transaction.album(.pin(pin)).map({ $0.account == account }) ?? true else { return false }
            try transaction.forgetPin(pin, at: time)
            return true
        }
        guard isTaken else { throw PhotoError.noAlbum(.pin(pin)) }
    }

    /// Albums in the order of their changes, and the version that they go up to.
    struct Summaries: Sendable {
        /// Albums in one answer.
        static let limit = 500
        /// Accounts that one answer counts for: with those of its last album no more than twice as many.
        static let maximumAccounts = 10_000

        let albums: [Entry]
        let version: Int64
        /// Whether there is nothing more to send.
        let isAll: Bool

        /// An album. That of a place counts what all see, beside what accounts see whose own pins were given more.
        struct Entry: Sendable {
            var album: Album
            var accounts: [(account: String, photos: Int64)] = []
        }
    }

    /// The albums that changed after `version`. A version from the future belongs to other data: then all are sent.
    func summaries(
        after version: Int64, maximumAccounts: Int = Summaries.maximumAccounts
    ) async throws(StoreError) -> Summaries {
        try await read { transaction throws(SQLError) in
            let last = try transaction.lastVersion()
            let albums = try transaction.albums(after: version > last ? 0 : version, limit: Summaries.limit)
            var (entries, accounts): ([Summaries.Entry], Int) = ([], 0)
            for album in albums where accounts < maximumAccounts {
                entries.append(try transaction.summary(of: album, maximumAccounts: maximumAccounts))
                accounts += entries.last?.accounts.count ?? 0
            }
            let isAll = entries.count == albums.count && albums.count < Summaries.limit
            return Summaries(albums: entries, version: isAll ? last : entries.last?.album.version ?? last, isAll: isAll)
        }
    }
}

extension PhotoStore {
    /// What the watcher of an album doesn't have yet; nil when that is nothing. A pin that is not known, and that was
    /// not announced before, may still appear.
    func delta(for watch: AlbumWatch) async throws(StoreError) -> AlbumDelta? {
        try await read { transaction throws(SQLError) in try transaction.delta(for: watch) }
    }

    /// Watches all photos and albums: they change as one.
    func watch(pace: Duration, _ look: () async throws -> WatchLoop.Look) async throws {
        try await WatchLoop(database.notices, of: wholeStore, pace: pace).run(look)
    }

    /// Ends all watches.
    func leave() { database.notices.close() }
}

extension Transaction {
    fileprivate func delta(for watch: AlbumWatch) throws(SQLError) -> AlbumDelta? {
        let page = AlbumPage(subject: watch.subject, account: watch.account)
        guard let album = try album(watch.subject, for: watch.account) else { return watch.isKnown ? .gone : nil }
        // Of a place's album nothing tells which favourites went between two watches.
        let isResumed = !watch.subject.isPin && watch.favourites == nil
        if !watch.isKnown || isResumed || album.version < watch.version || album.listVersion > watch.version {
            return .album(AlbumAnswer(album, try shownPhotos(page), of: page), isWhole: true)
        }
        let isNewer = album.version != watch.version
        let changed = isNewer ? try changedPhotos(page, after: watch.version) : []
        let starred = try restarred(page, watch).filter { !changed.contains($0) }
        guard isNewer || !starred.isEmpty else { return nil }
        return .album(AlbumAnswer(album, changed + starred, of: page), isWhole: false)
    }
}
