import Daemon
import Storage
import Stores

extension PhotoStore {
    /// Notes a part of a pin's search; it is durable when this returns.
    func note(_ part: PinSearch, deadline: ContinuousClock.Instant?) async throws {
        let time = clock.unixMilliseconds
        let isTaken = try await write(deadline: deadline) { transaction throws(SQLError) in
            try transaction.note(part, at: time)
        }
        guard isTaken else { throw PhotoError.noAlbum(part.subject) }
    }

    /// Forgets a pin; it is forgotten for good when this returns.
    func forget(pin: String, of account: String, deadline: ContinuousClock.Instant?) async throws {
        let time = clock.unixMilliseconds
        let isTaken = try await write(deadline: deadline) { transaction throws(SQLError) in
            guard try transaction.album(.pin(pin)).map({ $0.account == account }) ?? true else { return false }
            try transaction.forget(pin: pin, at: time)
            return true
        }
        guard isTaken else { throw PhotoError.noAlbum(.pin(pin)) }
    }

    /// Albums in the order of their changes, and how far they tell.
    struct Summaries: Sendable {
        /// Albums in one answer.
        static let limit = 500

        let albums: [Album]
        let version: Int64

        /// Whether this is all that there is to tell.
        var isAll: Bool { albums.count < Self.limit }
    }

    /// The albums that changed after `version`. A version from the future is of other data: then all are told.
    func summaries(after version: Int64) async throws(StoreError) -> Summaries {
        try await read { transaction throws(SQLError) in
            let last = try transaction.lastVersion()
            let albums = try transaction.albums(after: version > last ? 0 : version, limit: Summaries.limit)
            let isAll = albums.count < Summaries.limit
            return Summaries(albums: albums, version: isAll ? last : albums.last?.version ?? last)
        }
    }
}
