import EventLoops
package import Storage
import Synchronization

/// Blobs of which each is stored elsewhere too.
package final class ShippedBlobs: Blobs {
    private struct State {
        var waiting: [BlobName] = []
        /// How many were put, and of these how many are stored elsewhere: in the same order.
        var putCount = 0
        var storedCount = 0
    }

    private let blobs: any Blobs
    private let state = Mutex(State())
    /// Rings when one was put, and when some are stored elsewhere.
    let bell = Bell()

    package init(_ blobs: any Blobs) { self.blobs = blobs }

    package func put(_ blob: any ReadableBlob) async throws(BlobError) {
        try await blobs.put(blob)
        state.withLock { state in
            state.waiting.append(blob.name)
            state.putCount += 1
        }
        bell.ring()
    }

    package func open(
        _ name: BlobName, count: Int?, behind head: [UInt8], limit: Int
    ) async throws(BlobError) -> OpenedBlob {
        try await blobs.open(name, count: count, behind: head, limit: limit)
    }

    package func contains(_ name: BlobName) async throws(BlobError) -> Bool { try await blobs.contains(name) }

    package func remove(_ name: BlobName, ifStoredBefore limit: Int64) async throws(BlobError) -> Bool {
        try await blobs.remove(name, ifStoredBefore: limit)
    }

    package func list(_ page: String?) async throws(BlobError) -> BlobPage { try await blobs.list(page) }

    package func removeUnfinished(before limit: Int64) async throws(BlobError) -> Int {
        try await blobs.removeUnfinished(before: limit)
    }

    /// How many were put until now.
    var putCount: Int { state.withLock { $0.putCount } }

    /// How many of them are not stored elsewhere.
    var waitingCount: Int { state.withLock { $0.putCount - $0.storedCount } }

    /// Whether as many are stored elsewhere as were put when `putCount` was read.
    func isStored(_ count: Int) -> Bool { state.withLock { $0.storedCount >= count } }

    /// Some of those that are not stored elsewhere, the first first.
    func firstWaiting(_ count: Int) -> [BlobName] { state.withLock { Array($0.waiting.prefix(count)) } }

    /// So many of the first are stored elsewhere.
    func tookFirst(_ count: Int) {
        state.withLock { state in
            state.waiting.removeFirst(count)
            state.storedCount += count
        }
        bell.ring()
    }
}
