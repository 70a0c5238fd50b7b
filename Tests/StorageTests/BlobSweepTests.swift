import Glibc
import TestTools
import Testing

@testable import Storage

@Suite("P22 Sweeping blobs")
struct BlobSweepTests {
    private static let hour: Int64 = 3_600_000
    let folder = TemporaryFolder()
    let blobs: DirectoryBlobs

    init() throws { blobs = try DirectoryBlobs(folder: folder.file("blobs")) }

    @Test("takes what is old and not used, and nothing else")
    func takes() throws {
        let used = try put([1], age: 2 * Self.hour)
        let old = try put([2], age: 2 * Self.hour)
        let young = try put([3], age: Self.hour / 2)
        #expect(try sweep(using: [used]) == BlobSweep(removed: 1, kept: 2, temporary: 0))
        #expect(try blobs.contains(used))
        #expect(try !blobs.contains(old))
        #expect(try blobs.contains(young))
        #expect(try sweep(using: [used]) == BlobSweep(removed: 0, kept: 2, temporary: 0))
    }

    @Test("leaves what was put again meanwhile, though its answer is from before")
    func putAgain() throws {
        let name = try put([1], age: 2 * Self.hour)
        let swept = try blobs.sweep(olderThan: Self.hour, now: now()) { _ in
            _ = try blobs.put([1])
            return false
        }
        #expect(swept == BlobSweep(removed: 0, kept: 1, temporary: 0))
        #expect(try blobs.read(name) == [1])
    }

    @Test("takes what a killed program left half written, once it is old")
    func leftovers() throws {
        let path = blobs.folder + "/tmp/123"
        try WholeFile.write([1, 2], to: path)
        #expect(try sweep() == BlobSweep(removed: 0, kept: 0, temporary: 0))
        try makeOlder(path, by: 2 * Self.hour)
        #expect(try sweep() == BlobSweep(removed: 0, kept: 0, temporary: 1))
        #expect(TemporaryFolder.names(in: blobs.folder + "/tmp").isEmpty)
    }

    @Test("leaves files alone that are no blobs")
    func strangers() throws {
        let name = try put([1], age: 2 * Self.hour)
        let stranger = (blobs.path(of: name).split(separator: "/").dropLast() + ["notes.txt"]).joined(separator: "/")
        try WholeFile.write([1], to: "/" + stranger)
        try makeOlder("/" + stranger, by: 2 * Self.hour)
        #expect(try sweep() == BlobSweep(removed: 1, kept: 0, temporary: 0))
        #expect(try WholeFile.bytes("/" + stranger) == [1])
    }

    @Test("takes nothing when the clock was set back")
    func clock() throws {
        _ = try put([1], age: 0)
        let swept = try blobs.sweep(olderThan: Self.hour, now: 0) { _ in false }
        #expect(swept == BlobSweep(removed: 0, kept: 1, temporary: 0))
    }

    @Test("ends with the error of who knows what is used, and takes nothing more")
    func unknown() throws {
        struct Unknown: Error {}
        let name = try put([1], age: 2 * Self.hour)
        #expect(throws: Unknown.self) {
            try blobs.sweep(olderThan: Self.hour, now: now()) { _ in throw Unknown() }
        }
        #expect(try blobs.contains(name))
    }

    private func sweep(using used: Set<BlobName> = []) throws -> BlobSweep {
        try blobs.sweep(olderThan: Self.hour, now: now()) { used.contains($0) }
    }

    private func put(_ bytes: [UInt8], age: Int64) throws -> BlobName {
        let name = try blobs.put(bytes)
        try makeOlder(blobs.path(of: name), by: age)
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
