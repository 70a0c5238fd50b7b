import Glibc
import TestTools
import Testing

@testable import Storage

@Suite("P22 Bytes outside of the database")
struct BlobTests {
    let folder = TemporaryFolder()
    let blobs: DirectoryBlobs

    init() throws { blobs = try DirectoryBlobs(folder: folder.file("blobs")) }

    @Test("come back as they were put, from whoever opens the folder next", arguments: [0, 1, 65_536, 3_000_000])
    func comeBack(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let name = try blobs.put(bytes)
        #expect(name == BlobName(of: bytes))
        let again = try DirectoryBlobs(folder: folder.file("blobs"))
        #expect(try again.read(name) == bytes)
        #expect(try again.contains(name))
        #expect(try names(in: again) == [name])
    }

    @Test("are kept once however often they are put, and leave nothing half written")
    func once() throws {
        let name = try blobs.put([1, 2, 3])
        let path = blobs.path(of: name)
        let inode = inode(path)
        #expect(inode != nil)
        #expect(try blobs.put([1, 2, 3]) == name)
        #expect(self.inode(path) == inode)
        #expect(try names(in: blobs) == [name])
        #expect(TemporaryFolder.names(in: blobs.folder + "/tmp").isEmpty)
    }

    @Test("are read in parts, also after they were removed")
    func parts() throws {
        let name = try blobs.put(Array(0..<100))
        let file = try blobs.open(name, count: 100)
        try blobs.remove(name)
        #expect(file.count == 100)
        #expect(try file.bytes(from: 0, limit: 64) == Array(0..<64))
        #expect(try file.bytes(from: 64, limit: 64) == Array(64..<100))
        #expect(try file.bytes(behind: [1, 2], from: 98, limit: 64) == [1, 2, 98, 99])
        for start in [100, 101, -1, Int.max] {
            #expect(try file.bytes(from: start, limit: 64).isEmpty)
            #expect(try file.bytes(behind: [7], from: start, limit: 64) == [7])
            #expect(file.count(from: start, limit: 64) == 0)
        }
    }

    @Test("are given without waiting for the disk, or not at all")
    func inMemory() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try blobs.open(try blobs.put(bytes), count: bytes.count)
        for start in [0, 1, 299_000] {
            let expected = Array(bytes[start...].prefix(128 << 10))
            let given = file.bytesInMemory(from: start, limit: 128 << 10)
            // A file system may have no such way; none may give other bytes.
            #expect(given == nil || given == expected)
            // The kernel keeps what was just read.
            #expect(try file.bytes(from: start, limit: 128 << 10) == expected)
            let again = file.bytesInMemory(from: start, limit: 128 << 10)
            #expect(again == given || again == expected)
            if again != nil {
                #expect(file.bytesInMemory(behind: [7], from: start, limit: 128 << 10) == [7] + expected)
            }
        }
        for start in [300_000, -1, Int.max] { #expect(file.bytesInMemory(from: start, limit: 1) == []) }
    }

    @Test("that are not there are not found, and removing them is fine")
    func missing() throws {
        let name = BlobName(of: [9])
        #expect(throws: BlobError.notFound(name)) { try blobs.read(name) }
        #expect(throws: BlobError.notFound(name)) { try blobs.open(name, count: 1) }
        #expect(try !blobs.contains(name))
        try blobs.remove(name)
    }

    @Test("that the disk changed or cut short are not given back as if nothing was, and are written anew when put")
    func damaged() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let name = try blobs.put(bytes)
        for others in [bytes.dropLast() + [7], bytes.dropLast(), []] {
            try WholeFile.write(Array(others), to: blobs.path(of: name))
            #expect(throws: BlobError.damaged(name)) { try blobs.read(name) }
            if others.count < bytes.count {
                #expect(throws: BlobError.damaged(name)) { try blobs.open(name, count: bytes.count) }
            }
            #expect(try blobs.put(bytes) == name)
            #expect(try blobs.open(name, count: bytes.count).bytes(from: 0, limit: bytes.count) == bytes)
        }
    }

    @Test("put by many at once are all there")
    func many() async throws {
        let blobs = blobs
        let given = (0..<64).map { [UInt8](repeating: UInt8($0 / 2), count: 1_000) }
        let put = try await withThrowingTaskGroup { group in
            for bytes in given { group.addTask { try blobs.put(bytes) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(put == Set(given.map(BlobName.init(of:))))
        #expect(Set(try names(in: blobs)) == put)
        for name in put { #expect(try BlobName(of: blobs.read(name)) == name) }
    }

    @Test("that don't fit on a full disk are refused, and nothing of them stays", .enabled(if: TinyDisk.isPossible))
    func fullDisk() async throws {
        try await TinyDisk.with(bytes: 400_000) { disk in
            let blobs = try DirectoryBlobs(folder: "\(disk)/blobs")
            let kept = try blobs.put([UInt8](repeating: 1, count: 200_000))
            #expect(throws: BlobError.full) { try blobs.put([UInt8](repeating: 2, count: 300_000)) }
            #expect(TemporaryFolder.names(in: "\(disk)/blobs/tmp").isEmpty)
            #expect(try names(in: blobs) == [kept])
            try blobs.remove(kept)
            let next = try blobs.put([UInt8](repeating: 2, count: 300_000))
            #expect(try blobs.read(next).count == 300_000)
        }
    }

    @Test("have no place under a file, and the error says which")
    func noFolder() throws {
        let file = try folder.write("", to: "file")
        #expect {
            try DirectoryBlobs(folder: "\(file)/blobs")
        } throws: { error in
            "\(error)".contains("\(file): Not a directory")
        }
    }

    private func names(in blobs: DirectoryBlobs) throws -> [BlobName] {
        var names: [BlobName] = []
        try blobs.list { name, _ in names.append(name) }
        return names
    }

    private func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
