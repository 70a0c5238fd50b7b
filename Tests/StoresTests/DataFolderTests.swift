import Daemon
import FoundationEssentials
import Glibc
import Stores
import TestTools
import Testing

@Suite("P1 P26 The folder of a store")
struct DataFolderTests {
    @Test("is made with those above it, for its owner alone, and is taken as it is when it is there")
    func made() async throws {
        try await TemporaryFolder.with { folder in
            for path in ["\(folder)/a/b/c", "\(folder)/a/b/c", "\(folder)/d/", folder] { try DataFolder.make(path) }
            for path in ["\(folder)/a", "\(folder)/a/b", "\(folder)/a/b/c", "\(folder)/d"] {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o700, "\(path)")
            }
        }
    }

    @Test("is closed to others together with the files that an earlier version left open in it")
    func closed() async throws {
        try await TemporaryFolder.with { folder in
            let data = "\(folder)/data"
            for path in [data, "\(data)/blobs"] { mkdir(path, 0o755) }
            for name in ["pins.db", "pins.db-wal", "pins.db-shm"] {
                try Data().write(to: URL(fileURLWithPath: "\(data)/\(name)"))
                chmod("\(data)/\(name)", 0o644)
            }
            chmod(data, 0o755)
            symlink("\(folder)/elsewhere", "\(data)/link")
            try Data().write(to: URL(fileURLWithPath: "\(folder)/elsewhere"))
            chmod("\(folder)/elsewhere", 0o644)
            try DataFolder.make(data)
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            for path in [data, "\(data)/blobs"] { #expect(try mode(path) == 0o700) }
            for name in ["pins.db", "pins.db-wal", "pins.db-shm"] { #expect(try mode("\(data)/\(name)") == 0o600) }
            #expect(try mode("\(folder)/elsewhere") == 0o644)
        }
    }

    @Test("can't be where a file is, nor below one, and the sentence names the path")
    func refused() async throws {
        try await TemporaryFolder.with { folder in
            try Data().write(to: URL(fileURLWithPath: "\(folder)/file"))
            for path in ["\(folder)/file", "\(folder)/file/below", ""] {
                let problem = #expect(throws: DataFolder.Problem.self) { try DataFolder.make(path) }
                #expect(problem?.description.contains(path) == true)
            }
        }
    }
    @Test("is one process's at a time; the next one gets it when the first has let go")
    func locked() async throws {
        try await TemporaryFolder.with { folder in
            let path = "\(folder)/data/deep"
            var first: FolderLock? = try FolderLock(path)
            let problem = #expect(throws: DataFolder.Problem.self) { try FolderLock(path) }
            #expect(
                problem?.description
                    == "\(path): another process uses this data folder; --data names a folder of its own")
            withExtendedLifetime(first) {}
            first = nil
            withExtendedLifetime(try FolderLock(path)) {}
        }
    }

    @Test("is free as soon as its process lets go, though a child that is just starting has a copy of the descriptor")
    func copied() async throws {
        try await TemporaryFolder.with { folder in
            var first: FolderLock? = try FolderLock(folder)
            let copy = try #require(Self.copy(of: "\(folder)/lock"))
            defer { close(copy) }
            withExtendedLifetime(first) {}
            first = nil
            withExtendedLifetime(try FolderLock(folder)) {}
        }
    }

    /// A copy of this process's descriptor of a file, as a fork makes it.
    private static func copy(of path: String) -> CInt? {
        TemporaryFolder.names(in: "/proc/self/fd").lazy.compactMap { CInt($0) }
            .first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path }
            .map { dup($0) }
    }
}
