import Confine
import EventLoops
import Files
import Glibc
import TestSupport
import TestTools
import Testing

@testable import Daemon

@Suite("E11 what a service is shut out of", .timeLimit(.minutes(3)))
struct ConfinementTests {
    /// The line with which a service tells of it.
    private static func start(_ arguments: [String], in folder: TemporaryFolder) async throws -> (
        ServiceProcess, String
    ) {
        let process = try await ServiceProcess.start(
            "gateway", folder: folder.path,
            ["--data", folder.file("data"), "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"] + arguments)
        return (process, try WholeFile.text("/proc/\(process.program.pid)/status"))
    }

    private static func value(_ name: String, _ status: String) -> String? {
        status.split(separator: "\n").first { $0.hasPrefix("\(name):") }.map {
            $0.dropFirst(name.count + 1).filter { $0 != "\t" }
        }
    }

    @Test("is taken from it by itself: no new privileges, and a filter of system calls; it serves, and says so")
    func confined() async throws {
        let folder = TemporaryFolder()
        let (process, status) = try await Self.start([], in: folder)
        #expect(Self.value("NoNewPrivs", status) == "1")
        #expect(Self.value("Seccomp", status) == "2")
        let admin = try #require(process.admin)
        #expect(try await HTTPSocket(connectingTo: admin.port).ask("GET", "/livez").status == 200)
        let http = try #require(process.http)
        #expect(try await HTTPSocket(connectingTo: http.port).ask("GET", "/").status == 200)
        let end = try await process.end(by: SIGTERM)
        #expect(end.code == 0 && end.errors.contains("\"confined\""))
        #expect(end.errors.contains("no new privileges, ") && end.errors.contains("system calls"))
        if waymark_landlock_version() >= 2 { #expect(end.errors.contains("folders")) }
    }

    @Test("can be left to it")
    func off() async throws {
        let folder = TemporaryFolder()
        let (process, status) = try await Self.start(["--confine", "off"], in: folder)
        #expect(Self.value("Seccomp", status) == "0")
        #expect(try await process.end(by: SIGTERM).code == 0)
        let wrong = try await ProgramRun.run("gateway", ["--confine", "maybe", "--key-file", folder.file("key")])
        #expect(wrong.code == 2 && wrong.errors.contains("--confine is maybe, on or off is needed"))
    }

    @Test("a key file that others can read is told of")
    func openKey() async throws {
        let folder = TemporaryFolder()
        for (mode, isTold) in [(0o600, false), (0o644, true)] as [(mode_t, Bool)] {
            let path = try folder.write(ServiceProcess.key, to: "key")
            chmod(path, mode)
            #expect(SmallFile.isOpenToOthers(path) == isTold)
        }
    }

    @Test("files elsewhere can't be read or written, its own can", .enabled(if: waymark_landlock_version() >= 2))
    func fence() async throws {
        let folder = TemporaryFolder()
        for name in ["mine", "read", "other"] { mkdir(folder.file(name), 0o700) }
        for name in ["mine/a", "read/a", "other/a"] { try folder.write("x", to: name) }
        // In a thread of its own: what it is shut out of ends with it.
        let seen = try await Self.inThread { () -> [Bool] in
            guard let fence = FolderFence() else { return [] }
            fence.letWrite(folder.file("mine"))
            fence.letRead(folder.file("read"))
            guard Self.prctlNoNewPrivileges(), fence.close() else { return [] }
            func opens(_ name: String, _ flags: Int32) -> Bool {
                let descriptor = open(folder.file(name), flags, 0o600)
                if descriptor >= 0 { close(descriptor) }
                return descriptor >= 0
            }
            return [
                opens("mine/a", O_RDWR), opens("mine/new", O_RDWR | O_CREAT),
                rename(folder.file("mine/new"), folder.file("mine/b")) == 0,
                opens("read/a", O_RDONLY), opens("read/a", O_RDWR), opens("read/new", O_WRONLY | O_CREAT),
                opens("other/a", O_RDONLY), opens("other/new", O_WRONLY | O_CREAT), unlink(folder.file("read/a")) == 0,
            ]
        }
        #expect(seen == [true, true, true, true, false, false, false, false, false])
    }

    private static func prctlNoNewPrivileges() -> Bool { waymark_no_new_privileges() == 0 }

    private static func inThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        let pool = BlockingPool(threadCount: 1)
        defer { pool.close() }
        return try await pool.run { body() }
    }
}
