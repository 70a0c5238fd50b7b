import Glibc
import TestSupport
import TestTools
import Testing

@testable import Storage

@Suite("P22 Sweeping blobs")
struct BlobSweepTests {
    private static let hour: Int64 = 3_600_000
    let folder = TemporaryFolder()
    let blobs: DirectoryBlobs

    init() throws { blobs = try DirectoryBlobs(folder: folder.file("blobs"), blocking: BlockingCalls.ofTested) }

    @Test("takes what is old and not used, and nothing else")
    func takes() async throws {
        let used = try await put([1], age: 2 * Self.hour)
        let old = try await put([2], age: 2 * Self.hour)
        let young = try await put([3], age: Self.hour / 2)
        #expect(try await sweep(using: [used]) == BlobSweep(removed: 1, kept: 2, unfinished: 0))
        #expect(try await blobs.contains(used))
        #expect(try await !blobs.contains(old))
        #expect(try await blobs.contains(young))
        #expect(try await sweep(using: [used]) == BlobSweep(removed: 0, kept: 2, unfinished: 0))
    }

    @Test("leaves what was put again meanwhile, though its answer is from before")
    func putAgain() async throws {
        let name = try await put([1], age: 2 * Self.hour)
        let swept = try await blobs.sweep(olderThan: Self.hour, now: now()) { _ in
            _ = try await blobs.put([1])
            return []
        }
        #expect(swept == BlobSweep(removed: 0, kept: 1, unfinished: 0))
        #expect(try await blobs.read(name) == [1])
    }

    @Test("takes what a killed program left half written, once it is old")
    func leftovers() async throws {
        let path = blobs.files.path + "/tmp/123"
        try WholeFile.write([1, 2], to: path)
        #expect(try await sweep() == BlobSweep(removed: 0, kept: 0, unfinished: 0))
        try makeOlder(path, by: 2 * Self.hour)
        #expect(try await sweep() == BlobSweep(removed: 0, kept: 0, unfinished: 1))
        #expect(TemporaryFolder.names(in: blobs.files.path + "/tmp").isEmpty)
    }

    @Test("leaves files alone that are no blobs")
    func strangers() async throws {
        let name = try await put([1], age: 2 * Self.hour)
        let folder = blobs.files.path(of: name).split(separator: "/").dropLast()
        let stranger = (folder + ["notes.txt"]).joined(separator: "/")
        try WholeFile.write([1], to: "/" + stranger)
        try makeOlder("/" + stranger, by: 2 * Self.hour)
        #expect(try await sweep() == BlobSweep(removed: 1, kept: 0, unfinished: 0))
        #expect(try WholeFile.bytes("/" + stranger) == [1])
    }

    @Test("takes nothing when the clock was set back")
    func clock() async throws {
        _ = try await put([1], age: 0)
        let swept = try await blobs.sweep(olderThan: Self.hour, now: 0) { _ in [] }
        #expect(swept == BlobSweep(removed: 0, kept: 1, unfinished: 0))
    }

    @Test("ends with the error of who knows what is used, and takes nothing more")
    func unknown() async throws {
        struct Unknown: Error {}
        let name = try await put([1], age: 2 * Self.hour)
        await #expect(throws: Unknown.self) {
            try await blobs.sweep(olderThan: Self.hour, now: now()) { _ in throw Unknown() }
        }
        #expect(try await blobs.contains(name))
    }

    private func sweep(using used: Set<BlobName> = []) async throws -> BlobSweep {
        try await blobs.sweep(olderThan: Self.hour, now: now()) { used.intersection($0) }
    }

    private func put(_ bytes: [UInt8], age: Int64) async throws -> BlobName {
        let name = try await blobs.put(bytes)
        try makeOlder(blobs.files.path(of: name), by: age)
        return name
    }

    private func makeOlder(_ path: String, by milliseconds: Int64) throws {
        let time = timespec(tv_sec: Int((now() - milliseconds) / 1_000), tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    private func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
