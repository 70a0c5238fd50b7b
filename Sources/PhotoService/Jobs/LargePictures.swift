import Storage
import Synchronization

/// Makes large pictures when they are asked for, each once however many ask for it.
final class LargePictures: Sendable {
    private let store: PhotoStore
    private let pictures: PictureStore
    private let making = Mutex<[PhotoID: Task<StoredPicture, any Error>]>([:])

    init(_ store: PhotoStore, _ pictures: PictureStore) {
        self.store = store
        self.pictures = pictures
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
        try await store.write { transaction throws(SQLError) in
            // A file that was changed meanwhile is made anew when it is asked for again.
            guard try transaction.original(original.id) == original else { return }
            try transaction.put(picture, .large, of: original.id)
        }
        return picture
    }
}
