import Caches
package import EventLoops
package import Storage
import Synchronization

/// Blobs of a store on another machine, of which a folder of bounded size keeps copies. The store decides what there
/// is; the folder may be emptied at any time, and a copy that can't be kept costs nothing but the next fetch.
package final class CachedBlobs: Blobs {
    private let store: any Blobs
    private let copies: DirectoryBlobs
    /// Which blobs have copies, by their bytes.
    private let index: Mutex<BoundedCache<BlobName, Void>>

    /// Makes the folder unless it exists, and counts what it holds.
    /// - Parameter limitBytes: of all copies together.
    package init(
        _ store: any Blobs, folder: String, limitBytes: Int, blocking: BlockingPool
    ) async throws(BlobError) {
        let copies = try await DirectoryBlobs.opened(folder, blocking)
        var index = BoundedCache<BlobName, Void>(limit: limitBytes)
        var page: String?
        repeat {
            let found = try await copies.list(page)
            for blob in found.blobs {
                let bytes = try await copies.count(of: blob.name) ?? 0
                for (name, _) in index.add((), at: blob.name, cost: bytes) {
                    _ = try await copies.remove(name, ifStoredBefore: .max)
                }
            }
            page = found.next
        } while page != nil
        _ = try await copies.removeUnfinished(before: .max)
        self.store = store
        self.copies = copies
        self.index = Mutex(index)
    }

    package func put(_ blob: any ReadableBlob) async throws(BlobError) {
        try await store.put(blob)
        // It is asked for soon; where its bytes are read part by part, they may not come twice.
        if blob is HeldBlob { try await keep(blob) }
    }

    package func open(
        _ name: BlobName, count: Int?, behind head: [UInt8], limit: Int
    ) async throws(BlobError) -> OpenedBlob {
        if let copy = await copy(name, count, head, limit) { return copy }
        let stored = try await store.open(name, count: count, behind: [], limit: 0).blob
        guard hasRoom(for: stored) else {
            return OpenedBlob(stored, first: try await stored.bytes(behind: head, from: 0, limit: limit))
        }
        try await keep(stored)
        if let copy = await copy(name, count, head, limit) { return copy }
        return try await store.open(name, count: count, behind: head, limit: limit)
    }

    package func contains(_ name: BlobName) async throws(BlobError) -> Bool { try await store.contains(name) }

    package func remove(_ name: BlobName, ifStoredBefore limit: Int64) async throws(BlobError) -> Bool {
        guard try await store.remove(name, ifStoredBefore: limit) else { return false }
        index.withLock { _ = $0.remove(name) }
        _ = try? await copies.remove(name, ifStoredBefore: .max)
        return true
    }

    package func list(_ page: String?) async throws(BlobError) -> BlobPage { try await store.list(page) }

    package func removeUnfinished(before limit: Int64) async throws(BlobError) -> Int {
        try await store.removeUnfinished(before: limit)
    }

    /// The copy, unless there is none or it can't be used.
    private func copy(_ name: BlobName, _ count: Int?, _ head: [UInt8], _ limit: Int) async -> OpenedBlob? {
        guard index.withLock({ $0.use(name) != nil }) else { return nil }
        if let opened = try? await copies.open(name, count: count, behind: head, limit: limit) { return opened }
        if !Task.isCancelled { index.withLock { _ = $0.remove(name) } }
        return nil
    }

    /// Whether a blob may have a copy at all: one alone does not push out all others.
    private func hasRoom(for blob: any ReadableBlob) -> Bool { blob.count <= index.withLock { $0.limit } / 2 }

    /// Makes a copy, if the folder takes it. Its bytes are compared with its name.
    private func keep(_ blob: any ReadableBlob) async throws(BlobError) {
        guard hasRoom(for: blob) else { return }
        do throws(BlobError) {
            try await copies.put(blob)
        } catch {
            switch error {
            case .full, .failed: return
            case .notFound, .damaged, .away, .refused, .cancelled: throw error
            }
        }
        let evicted = index.withLock { $0.add((), at: blob.name, cost: blob.count) }
        for (name, _) in evicted { _ = try? await copies.remove(name, ifStoredBefore: .max) }
    }
}
