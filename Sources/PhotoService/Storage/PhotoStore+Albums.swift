import Daemon
import Storage

extension PhotoStore {
    /// A page of an album, on one view of the data.
    func album(_ page: AlbumPage, deadline: ContinuousClock.Instant?) async throws -> AlbumAnswer {
        let answer = try await read(deadline: deadline) { transaction throws(SQLError) in
            try transaction.answer(page)
        }
        guard let answer else { throw PhotoError.noAlbum(page.subject) }
        return answer
    }

    /// Opens an album and gives its first photos.
    func open(_ page: AlbumPage, deadline: ContinuousClock.Instant?) async throws -> AlbumAnswer {
        let time = clock.unixMilliseconds
        let answer = try await write(deadline: deadline) { transaction throws(SQLError) -> AlbumAnswer? in
            guard let album = try transaction.album(page.subject, for: page.account) else { return nil }
            try transaction.open(album, at: time)
            return try transaction.answer(page)
        }
        guard let answer else { throw PhotoError.noAlbum(page.subject) }
        return answer
    }
}

extension Transaction {
    func answer(_ page: AlbumPage) throws(SQLError) -> AlbumAnswer? {
        guard let album = try album(page.subject, for: page.account) else { return nil }
        let entries = page.isOfRemoved ? try removedPhotos(page) : try shownPhotos(page)
        return AlbumAnswer(album, entries, size: page.size)
    }

    /// Changes an album that an account sees, and gives it as it is then.
    func changing(
        _ subject: AlbumSubject, for account: String,
        _ body: (Album) throws(SQLError) -> Result<Void, PhotoError>
    ) throws(SQLError) -> Result<Album, PhotoError> {
        guard let album = try album(subject, for: account) else { return .failure(.noAlbum(subject)) }
        if case .failure(let refusal) = try body(album) { return .failure(refusal) }
        return .success(try self.album(subject, for: account) ?? album)
    }
}
