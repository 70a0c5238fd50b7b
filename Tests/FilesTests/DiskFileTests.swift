import EventLoops
import Files
import Glibc
import TestTools
import Testing

@Suite("Files on the disk")
struct DiskFileTests {
    private static func bytes(_ path: String) throws -> [UInt8] { try SmallFile.read(path, limit: 1 << 20) }

    @Test("are replaced as a whole, and nothing is left beside them")
    func replaced() async throws {
        try await TemporaryFolder.with { folder in
            for bytes: [UInt8] in [[1, 2, 3], [], [4]] {
                try DiskFile.replace("\(folder)/a", with: bytes)
                #expect(try Self.bytes("\(folder)/a") == bytes)
            }
            #expect(try DiskFile.names(in: folder) == ["a"])
            #expect(try DiskFile.status("\(folder)/a")?.byteCount == 1)
        }
    }

    @Test("are created once, moved and removed")
    func created() async throws {
        try await TemporaryFolder.with { folder in
            try DiskFile.create("\(folder)/a", with: [7])
            let error = #expect(throws: SystemError.self) { try DiskFile.create("\(folder)/a", with: [8]) }
            #expect(error?.code == EEXIST)
            try DiskFile.rename("\(folder)/a", to: "\(folder)/b")
            #expect(try !DiskFile.exists("\(folder)/a") && DiskFile.exists("\(folder)/b"))
            #expect(try DiskFile.removeIfThere("\(folder)/b"))
            #expect(try !DiskFile.removeIfThere("\(folder)/b"))
            #expect(try DiskFile.status("\(folder)/b") == nil)
        }
    }

    @Test("lie in folders that are made with those above them, but not where a file is")
    func folders() async throws {
        try await TemporaryFolder.with { folder in
            for path in ["\(folder)/a/b/c", "\(folder)/a/b/c", "\(folder)/d/"] { try DiskFile.makeFolder(path) }
            #expect(DiskFile.isFolder("\(folder)/a/b/c") && DiskFile.isFolder("\(folder)/d"))
            try DiskFile.create("\(folder)/file", with: [])
            for path in ["\(folder)/file", "\(folder)/file/below"] {
                let error = #expect(throws: SystemError.self) { try DiskFile.makeFolder(path) }
                #expect(error?.code == ENOTDIR)
            }
            #expect(try DiskFile.names(in: folder) == ["a", "d", "file"])
            #expect(try DiskFile.names(in: "\(folder)/none") == [])
            #expect(throws: SystemError.self) { try DiskFile.names(in: "\(folder)/file") }
        }
    }

    @Test("that can't be seen are not taken for missing ones")
    func unreadable() async throws {
        try await TemporaryFolder.with { folder in
            let closed = "\(folder)/closed"
            try DiskFile.makeFolder(closed)
            try DiskFile.create("\(closed)/a", with: [])
            chmod(closed, 0)
            defer { chmod(closed, 0o700) }
            for look in [
                { _ = try DiskFile.names(in: closed) }, { _ = try DiskFile.exists("\(closed)/a") },
                { _ = try SmallFile.names(under: closed) },
            ] as [() throws -> Void] {
                let error = #expect(throws: SystemError.self) { try Unprivileged.run(look) }
                #expect(error?.code == EACCES)
            }
        }
    }

    @Test("are told by their paths below a folder; a link to a folder is not gone into")
    func below() async throws {
        try await TemporaryFolder.with { folder in
            try DiskFile.makeFolder("\(folder)/a/b")
            try DiskFile.create("\(folder)/a/b/c", with: [])
            symlink(folder, "\(folder)/a/loop")
            #expect(try SmallFile.names(under: folder) == ["a", "a/b", "a/b/c", "a/loop"])
        }
    }

    @Test("know the folder that they are in")
    func parents() {
        for (path, folder) in [("a", "."), ("a/b", "a"), ("/a", "/"), ("/a/b/c", "/a/b"), ("", ".")] {
            #expect(DiskFile.folder(of: path) == folder)
        }
    }
}
