import ServiceRuntime
import Storage
import Synchronization

/// Makes large pictures when they are asked for, each once however many ask for it, and drops the oldest when there are
/// too many: they can be made again.
final class LargePictures: Sendable {
    private let store: PhotoStore
    private let pictures: PictureStore
    /// How many bytes all of them may have together.
    private let limitBytes: Int
    private let making = Mutex<[PhotoID: Task<StoredPicture, any Error>]>([:])

    init(_ store: PhotoStore, _ pictures: PictureStore, limitBytes: Int) {
        self.store = store
        self.pictures = pictures
        self.limitBytes = limitBytes
    }

    /// Makes the picture, or waits for whoever makes it. It is made to its end, also when the caller leaves.
    func make(_ original: Original) async throws -> StoredPicture {
        let task = making.withLock { making in
            if let task = making[original.id] { return task }
            let task = Task {
                defer { self.making.withLock { $0[original.id] = nil } }
                return try await self.made(original)
            }
            making[original.id] = task
            return task
        }
        return try await task.value
    }

    private func made(_ original: Original) async throws -> StoredPicture {
        let picture = try await pictures.make(.large, from: original).picture
        let (time, limit) = (store.clock.unixMilliseconds, Int64(limitBytes))
        let evicted = try await store.write { transaction throws(SQLError) -> [BlobName] in
            // A file that was changed meanwhile is made anew when it is asked for again.
            guard try transaction.original(original.id) == original else { return [] }
            try transaction.put(picture, .large, of: original.id, at: time)
            return try transaction.evictLarge(limit: limit, but: original.id)
        }
        // What can't be removed now is swept later.
        try? await pictures.remove(evicted)
        return picture
    }
}
