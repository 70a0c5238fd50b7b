import Glibc
import TestSupport
import TestTools
import Testing

@testable import Storage

@Suite("P22 Bytes outside of the database")
struct BlobTests {
    let folder = TemporaryFolder()
    let blobs: DirectoryBlobs

    init() throws { blobs = try DirectoryBlobs(folder: folder.file("blobs"), blocking: BlockingCalls.ofTested) }

    @Test("come back as they were put, from whoever opens the folder next", arguments: [0, 1, 65_536, 3_000_000])
    func comeBack(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let name = try await blobs.put(bytes)
        #expect(name == BlobName(of: bytes))
        let again = try DirectoryBlobs(folder: folder.file("blobs"), blocking: BlockingCalls.ofTested)
        #expect(try await again.read(name) == bytes)
        #expect(try await again.contains(name))
        #expect(try await again.allNames() == [name])
    }

    @Test("are kept once however often they are put, and leave nothing half written")
    func once() async throws {
        let name = try await blobs.put([1, 2, 3])
        let path = blobs.files.path(of: name)
        let inode = inode(path)
        #expect(inode != nil)
        #expect(try await blobs.put([1, 2, 3]) == name)
        #expect(self.inode(path) == inode)
        #expect(try await blobs.allNames() == [name])
        #expect(TemporaryFolder.names(in: blobs.files.path + "/tmp").isEmpty)
    }

    @Test("are read in parts, also after they were removed")
    func parts() async throws {
        let name = try await blobs.put(Array(0..<100))
        let file = try await blobs.open(name, count: 100, behind: [], limit: 0).blob
        #expect(try await blobs.remove(name))
        #expect(file.count == 100)
        #expect(try await file.bytes(behind: [], from: 0, limit: 64) == Array(0..<64))
        #expect(try await file.bytes(behind: [], from: 64, limit: 64) == Array(64..<100))
        #expect(try await file.bytes(behind: [1, 2], from: 98, limit: 64) == [1, 2, 98, 99])
        for start in [100, 101, -1, Int.max] {
            #expect(try await file.bytes(behind: [], from: start, limit: 64).isEmpty)
            #expect(try await file.bytes(behind: [7], from: start, limit: 64) == [7])
            #expect(file.count(from: start, limit: 64) == 0)
        }
    }

    @Test("are given without waiting for the disk, or not at all")
    func inMemory() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let name = try await blobs.put(bytes)
        let file = try await blobs.open(name, count: bytes.count, behind: [], limit: 0).blob
        for start in [0, 1, 299_000] {
            let expected = Array(bytes[start...].prefix(128 << 10))
            let given = file.bytesInMemory(behind: [], from: start, limit: 128 << 10)
            // A file system may have no such way; none may give other bytes.
            #expect(given == nil || given == expected)
            // The kernel keeps what was just read.
            #expect(try await file.bytes(behind: [], from: start, limit: 128 << 10) == expected)
            let again = file.bytesInMemory(behind: [], from: start, limit: 128 << 10)
            #expect(again == given || again == expected)
            if again != nil {
                #expect(file.bytesInMemory(behind: [7], from: start, limit: 128 << 10) == [7] + expected)
            }
        }
        for start in [300_000, -1, Int.max] { #expect(file.bytesInMemory(behind: [], from: start, limit: 1) == []) }
    }

    @Test("that are not there are not found, and removing them is fine")
    func missing() async throws {
        let name = BlobName(of: [9])
        await #expect(throws: BlobError.notFound(name)) { try await blobs.read(name) }
        await #expect(throws: BlobError.notFound(name)) {
            try await blobs.open(name, count: 1, behind: [], limit: 1)
        }
        #expect(try await !blobs.contains(name))
        #expect(try await !blobs.remove(name))
    }

    @Test("that the disk cut short are not given back, and those that it changed are written again when put")
    func damaged() async throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let name = try await blobs.put(bytes)
        for others in [bytes.dropLast() + [7], bytes.dropLast(), []] {
            try WholeFile.write(Array(others), to: blobs.files.path(of: name))
            if others.count < bytes.count {
                await #expect(throws: BlobError.damaged(name)) {
                    try await blobs.open(name, count: bytes.count, behind: [], limit: 1)
                }
            }
            #expect(try await blobs.put(bytes) == name)
            #expect(try await blobs.read(name) == bytes)
        }
    }

    @Test("put by many at once are all there")
    func many() async throws {
        let blobs = blobs
        let given = (0..<64).map { [UInt8](repeating: UInt8($0 / 2), count: 1_000) }
        let put = try await withThrowingTaskGroup { group in
            for bytes in given { group.addTask { try await blobs.put(bytes) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(put == Set(given.map(BlobName.init(of:))))
        #expect(Set(try await blobs.allNames()) == put)
        for name in put { #expect(BlobName(of: try await blobs.read(name)) == name) }
    }

    @Test("that don't fit on a full disk are refused, and nothing of them stays", .enabled(if: TinyDisk.isPossible))
    func fullDisk() async throws {
        try await TinyDisk.with(bytes: 400_000) { disk in
            let blobs = try DirectoryBlobs(folder: "\(disk)/blobs", blocking: BlockingCalls.ofTested)
            let kept = try await blobs.put([UInt8](repeating: 1, count: 200_000))
            await #expect(throws: BlobError.full) { try await blobs.put([UInt8](repeating: 2, count: 300_000)) }
            #expect(TemporaryFolder.names(in: "\(disk)/blobs/tmp").isEmpty)
            #expect(try await blobs.allNames() == [kept])
            #expect(try await blobs.remove(kept))
            let next = try await blobs.put([UInt8](repeating: 2, count: 300_000))
            #expect(try await blobs.read(next).count == 300_000)
        }
    }

    @Test("have no place under a file, and the error says which")
    func noFolder() throws {
        let file = try folder.write("", to: "file")
        #expect {
            try DirectoryBlobs(folder: "\(file)/blobs", blocking: BlockingCalls.ofTested)
        } throws: { error in
            "\(error)".contains("\(file): Not a directory")
        }
    }

    @Test("that come in parts are stored as they are, and are refused when they are not those of their name")
    func inParts() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for count in [5, 1 << 20, 3_000_000] {
            let held = HeldBlob(Array(bytes.prefix(count)))
            try await blobs.put(OtherBlob(name: held.name, held: held))
            #expect(try await blobs.read(held.name) == held.bytes)
            let other = BlobName(of: [UInt8(count % 7), 1])
            await #expect(throws: BlobError.damaged(other)) {
                try await blobs.put(OtherBlob(name: other, held: held))
            }
            #expect(try await !blobs.contains(other))
        }
        #expect(TemporaryFolder.names(in: blobs.files.path + "/tmp").isEmpty)
    }

    /// A blob of another store, which may lie about its name.
    private struct OtherBlob: ReadableBlob {
        let name: BlobName
        let held: HeldBlob
        var count: Int { held.count }

        func bytes(behind head: [UInt8], from start: Int, limit: Int) async throws(BlobError) -> [UInt8] {
            try await held.bytes(behind: head, from: start, limit: limit)
        }

        func bytesInMemory(behind head: [UInt8], from start: Int, limit: Int) -> [UInt8]? { nil }
    }

    private func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
