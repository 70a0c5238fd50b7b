import Daemon
import Storage
import Synchronization

/// Makes pictures on request, each once however many callers ask for it: large ones, the oldest of which are evicted
/// when there are too many, and thumbnails whose bytes the disk has lost.
final class PicturesOnDemand: Sendable {
    private struct Key: Hashable {
        let id: PhotoID
        let size: PictureSize
    }

    private let store: PhotoStore
    private let pictures: PictureStore
    /// How many bytes all large ones may have together.
    private let largeBytes: Int
    private let making = Mutex<[Key: Task<StoredPicture, any Error>]>([:])

    init(_ store: PhotoStore, _ pictures: PictureStore, largeBytes: Int) {
        self.store = store
        self.pictures = pictures
        self.largeBytes = largeBytes
    }

    /// Makes the picture, or waits for the call that is making it. It is completed even if the caller leaves.
    func make(_ size: PictureSize, from original: Original) async throws -> StoredPicture {
        let key = Key(id: original.id, size: size)
        let task = making.withLock { making in
            if let task = making[key] { return task }
            let task = Task {
                defer { self.making.withLock { $0[key] = nil } }
                return try await self.made(size, original)
            }
            making[key] = task
            return task
        }
        return try await task.value
    }

    private func made(_ size: PictureSize, _ original: Original) async throws -> StoredPicture {
        switch size {
        case .thumbnail: try await thumbnail(original)
        case .large: try await large(original)
        }
    }

    private func large(_ original: Original) async throws -> StoredPicture {
        let picture = try await pictures.make(.large, from: original).picture
        let (time, limit) = (store.clock.unixMilliseconds, Int64(largeBytes))
        let evicted = try await store.write { transaction throws(SQLError) -> [BlobName] in
            // A file that was changed meanwhile is processed again on the next request.
            guard try transaction.original(original.id) == original else { return [] }
            try transaction.put(picture, .large, of: original.id, at: time)
            return try transaction.evictLarge(limit: limit, but: original.id)
        }
        // Bytes that can't be removed now are swept later.
        try? await pictures.remove(evicted)
        return picture
    }

    /// Usually the same bytes result, and the row that names them stays. When the file can't be used any more, the
    /// photo is marked as failed, as a copy would do.
    private func thumbnail(_ original: Original) async throws -> StoredPicture {
        do {
            let (picture, placeholder) = try await pictures.make(.thumbnail, from: original)
            try await write(original) { transaction throws(SQLError) in
                guard try transaction.picture(original.id, .thumbnail)?.name != picture.name else { return }
                try transaction.setReady(original.id, picture, placeholder: placeholder)
            }
            return picture
        } catch let problem as PictureProblem where problem.isFinal {
            try await write(original) { transaction throws(SQLError) in
                try transaction.setFailed(original.id, reason: problem.description)
            }
            throw problem
        }
    }

    /// Writes the result for a file, unless a scan has found another one meanwhile: then its copy has been requested.
    private func write(
        _ original: Original, _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Void
    ) async throws {
        try await store.write { transaction throws(SQLError) in
            if try transaction.original(original.id) == original { try body(transaction) }
        }
    }
}
