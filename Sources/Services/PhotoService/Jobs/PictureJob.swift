import Bytes
import Daemon
import PictureCalls
import RPC
import Storage

/// Makes pictures that callers ask for: large ones, the oldest of which are evicted when there are too many, small ones
/// of photos that no album has shown, and thumbnails whose bytes are lost. Each is a job, so that one replica makes it,
/// however many are asked.
struct PictureJob: Sendable {
    static let name = "picture"
    /// How often a process may die while it makes a picture before it is not tried any more.
    private static let deaths = 3

    let store: PhotoStore
    let pictures: PictureStore
    /// How many bytes all large ones may have together.
    let largeBytes: Int

    var kind: JobKind {
        JobKind(
            Self.name, workers: 3, timeout: .seconds(60), judge: { _, _ in .giveUp },
            settle: { [clock = store.clock] transaction, lease, _, error throws(SQLError) in
                let answer = (error as? any RPCErrorConvertible)?.rpcError ?? Self.failure
                try transaction.setFailure(answer, of: lease.key, at: clock.unixMilliseconds)
                _ = try transaction.nextVersion(of: Self.name)
            }, body: run)
    }

    private static let failure = RPCError(.unavailable, "the picture can't be made now; try again later")

    private func run(_ lease: JobLease) async throws {
        guard let wanted = WantedPicture(key: lease.key) else { return try await store.drop(lease) }
        guard lease.kills < Self.deaths else {
            throw PictureProblem.unreadable("the service has died \(lease.kills) times while it was read")
        }
        let original = try await store.read { transaction throws(SQLError) in try transaction.original(wanted.id) }
        guard let original else { return try await finish(lease) { _ throws(SQLError) in [] } }
        switch wanted.size {
        case .thumbnail, .small: try await thumbnails(lease, original)
        case .large: try await large(lease, original)
        }
    }

    private func large(_ lease: JobLease, _ original: Original) async throws {
        guard let picture = try await pictures.make([.large], from: original).pictures[.large] else { return }
        let (time, limit) = (store.clock.unixMilliseconds, Int64(largeBytes))
        try await finish(lease) { transaction throws(SQLError) in
            // A file that was changed meanwhile is processed again on the next request.
            guard try transaction.original(original.id) == original else { return [] }
            try transaction.putPicture(picture, .large, of: original.id, at: time)
            return try transaction.evictLarge(limit: limit, but: original.id)
        }
    }

    /// Usually the same bytes result, and the row that names them stays. When the file can't be used any more, the
    /// photo is marked as failed, as a copy would do.
    private func thumbnails(_ lease: JobLease, _ original: Original) async throws {
        do {
            let made = try await pictures.make(PictureSize.thumbnails, from: original)
            try await finish(lease) { transaction throws(SQLError) in
                guard try transaction.original(original.id) == original,
                    try transaction.picture(original.id, .thumbnail) != made.pictures[.thumbnail]
                else { return [] }
                try transaction.setReady(original.id, made)
                return []
            }
        } catch let problem as PictureProblem where problem.isFinal {
            let time = store.clock.unixMilliseconds
            try await finish(lease) { transaction throws(SQLError) in
                if try transaction.original(original.id) == original {
                    try transaction.setFailed(original.id, reason: problem.description)
                    try transaction.setFailure(problem.rpcError, of: lease.key, at: time)
                }
                return []
            }
        }
    }

    /// Ends the job with its last effects, unless the lease is no longer valid. Gives the names of bytes that are no
    /// longer needed; those that can't be removed now are swept later.
    private func finish(
        _ lease: JobLease, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> [BlobName]
    ) async throws {
        let time = store.clock.unixMilliseconds
        let unused = try await store.write { transaction throws(SQLError) -> [BlobName] in
            guard try transaction.complete(lease, at: time) else {
                try transaction.undo()
                return []
            }
            try transaction.dropFailure(of: lease.key)
            _ = try transaction.nextVersion(of: Self.name)
            return try body(transaction)
        }
        try? await pictures.remove(unused)
    }
}

/// A picture that a caller asks for; its key is that of the job.
struct WantedPicture: Hashable, Sendable {
    let id: PhotoID
    let size: PictureSize

    init(_ size: PictureSize, of id: PhotoID) {
        self.id = id
        self.size = size
    }

    init?(key: String) {
        let parts = key.split(at: " ", maxSplits: 1)
        guard parts.count == 2, let size = Int64(parts[0]).flatMap(PictureSize.init), let id = PhotoID(String(parts[1]))
        else {
            return nil
        }
        self.init(size, of: id)
    }

    var key: String { "\(size.rawValue) \(id.text)" }
}
