import EventLoops
import Storage
import TestSupport
import TestTools
import Testing

@testable import ObjectStore

@Suite("Copies of blobs")
struct CachedBlobsTests {
    /// A cache of a folder that stands for the store, so that both can be looked at and taken away.
    private func withFolders(
        limitBytes: Int = 1 << 20,
        _ body: (_ blobs: CachedBlobs, _ store: DirectoryBlobs, _ copies: String) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let store = try DirectoryBlobs(folder: "\(folder)/store", blocking: BlockingCalls.ofTested)
            let blobs = try await CachedBlobs(
                store, folder: "\(folder)/copies", limitBytes: limitBytes, blocking: BlockingCalls.ofTested)
            try await body(blobs, store, "\(folder)/copies")
        }
    }

    private func copies(_ folder: String) async throws -> [BlobName] {
        try await DirectoryBlobs(folder: folder, blocking: BlockingCalls.ofTested).allNames()
    }

    @Test("are read without the store once a blob was put or read")
    func served() async throws {
        try await withFolders { blobs, store, _ in
            let put = try await blobs.put([1, 2, 3])
            let read = try await store.put([4, 5])
            _ = try await blobs.read(read)
            for name in [put, read] { _ = try await store.remove(name, ifStoredBefore: .max) }
            let bytes = [try await blobs.read(put), try await blobs.read(read)]
            #expect(bytes == [[1, 2, 3], [4, 5]])
            // What there is is the store's to say.
            let isThere = try await blobs.contains(put)
            #expect(!isThere)
        }
    }

    @Test("may be taken away at any time")
    func emptied() async throws {
        try await withFolders { blobs, _, folder in
            let name = try await blobs.put([1, 2, 3])
            for copy in try await copies(folder) {
                _ = try await DirectoryBlobs(folder: folder, blocking: BlockingCalls.ofTested)
                    .remove(copy, ifStoredBefore: .max)
            }
            let bytes = try await blobs.read(name)
            #expect(bytes == [1, 2, 3])
            let back = try await copies(folder)
            #expect(back == [name])
        }
    }

    @Test("take no more room than is allowed, and those that were used last stay")
    func bounded() async throws {
        try await withFolders(limitBytes: 10_000) { blobs, _, folder in
            let first = try await blobs.put([UInt8](repeating: 1, count: 1_000))
            for number in 2...40 {
                _ = try await blobs.put([UInt8](repeating: UInt8(number), count: 1_000))
                _ = try await blobs.read(first)
            }
            let kept = try await copies(folder)
            #expect((5...10).contains(kept.count))
            #expect(kept.contains(first))
            // One that is too large for the folder is read from the store.
            let large = try await blobs.put([UInt8](repeating: 0, count: 9_000))
            let bytes = try await blobs.read(large)
            #expect(bytes.count == 9_000)
            let afterwards = try await copies(folder)
            #expect(!afterwards.contains(large))
        }
    }

    @Test("of an earlier start count, and too many of them are removed")
    func restarted() async throws {
        try await withFolders { blobs, store, folder in
            for number in 0..<20 { _ = try await blobs.put([UInt8](repeating: UInt8(number), count: 1_000)) }
            _ = try await CachedBlobs(store, folder: folder, limitBytes: 5_000, blocking: BlockingCalls.ofTested)
            let kept = try await copies(folder)
            #expect((1...5).contains(kept.count))
        }
    }

    @Test("go with their blob, and are never made of other bytes than its name says")
    func removed() async throws {
        try await withFolders { blobs, _, folder in
            let name = try await blobs.put([1])
            let isRemoved = try await blobs.remove(name, ifStoredBefore: .max)
            let kept = try await copies(folder)
            #expect(isRemoved && kept == [])
            await #expect(throws: BlobError.notFound(name)) { try await blobs.read(name) }
        }
    }
}
