import Backups
import EventLoops
import FoundationEssentials
import Glibc
import Storage
import TestTools
import Testing

@testable import Supervisor
@testable import Waymark

@Suite("P39 waymark doctor tells what is wrong and what to do")
struct DoctorTests {
    private let folder = TemporaryFolder()

    private func verdicts(_ doctor: FolderDoctor) -> [String: Diagnosis.Verdict] {
        Dictionary(doctor.look().map { ($0.subject, $0.verdict) }) { first, _ in first }
    }

    private func made() throws -> UpFolder {
        let data = UpFolder(path: "\(folder.path)/data")
        _ = try data.open(["places", "pins", "photos"])
        _ = try data.token.makeIfMissing()
        return data
    }

    @Test("a folder as waymark up makes it is well, as is none")
    func well() throws {
        let none = FolderDoctor(folder: UpFolder(path: "\(folder.path)/none")).look()
        #expect(none.map(\.verdict) == [.ok])
        let found = FolderDoctor(folder: try made()).look()
        #expect(found.map(\.subject) == ["data folder", "key", "token", "disk", "clock", "sqlite"])
        #expect(found.filter { $0.subject != "disk" }.allSatisfy { $0.verdict == .ok && $0.advice.isEmpty })
    }

    @Test("data without a backup, with one that is old or not proven, or whose last try failed, says what to do")
    func backups() async throws {
        let data = try made()
        await (try await Database.open("\(data.path)/pins/pins.db", migrations: [])).close()
        func found() -> Diagnosis? { FolderDoctor(folder: data, nowSeconds: 100 * 86_400).look().last }
        #expect(found()?.verdict == .warning && found()?.advice.contains("waymark up --backup") == true)
        var status = BackupStatus(place: "/mnt/disk")
        for (made, proven, failure, verdict, words) in [
            (Int64(99), nil, nil, Diagnosis.Verdict.warning, "none was proven yet"),
            (99, 98, nil, .ok, "1 was proven"), (80, 80, nil, .warning, "made 20 days ago"),
            (99, 98, "the disk is full", .wrong, "the last try failed: the disk is full"),
        ] as [(Int64, Int64?, String?, Diagnosis.Verdict, String)] {
            (status.made, status.proven, status.failure) = (made * 86_400, proven.map { $0 * 86_400 }, failure)
            try status.write(to: data.path)
            #expect(found()?.verdict == verdict, "\(words)")
            #expect(found()?.finding.contains(words) == true || verdict == .ok, "\(found()?.finding ?? "")")
        }
    }

    @Test("a secret that others may read, or that is none, says which command mends it")
    func secrets() throws {
        let data = try made()
        chmod(data.key.path, 0o644)
        let key = FolderDoctor(folder: data).look().first { $0.subject == "key" }
        #expect(key?.verdict == .wrong && key?.finding.contains("(mode 644)") == true)
        #expect(key?.advice == "chmod 600 \(Invitation.quoted(data.key.path))")
        try folder.write("short", to: "data/token")
        #expect(verdicts(FolderDoctor(folder: data))["token"] == .wrong)
    }

    @Test("a clock behind what was written last")
    func clock() throws {
        let data = try made()
        let now = Int64(time(nil))
        #expect(verdicts(FolderDoctor(folder: data, nowSeconds: now))["clock"] == .ok)
        #expect(verdicts(FolderDoctor(folder: data, nowSeconds: now - 3_600))["clock"] == .wrong)
    }

    @Test(
        "little room warns, hardly any is wrong",
        arguments: [(UInt64(100 << 20), Diagnosis.Verdict.wrong), (1 << 30, .warning), (100 << 30, .ok)])
    func room(free: UInt64, verdict: Diagnosis.Verdict) {
        #expect(FolderDoctor.room(free).verdict == verdict)
    }

    @Test("a taken port is wrong, unless waymark up runs there")
    func ports() throws {
        let address = try #require(try Endpoint("127.0.0.1:0")?.resolve().first)
        let socket = try Socket.listening(on: address)
        let port = socket.localAddress?.port ?? 0
        let taken = Endpoint(host: "127.0.0.1", port: port)
        #expect(ReachDoctor.port(taken, flag: "--port", isRunning: false).verdict == .wrong)
        #expect(ReachDoctor.port(taken, flag: "--port", isRunning: true).verdict == .ok)
        #expect(ReachDoctor.network("openstreetmap-url", "http://127.0.0.1:\(port)/api").verdict == .ok)
        _ = consume socket
        #expect(ReachDoctor.network("openstreetmap-url", "ftp://x").verdict == .wrong)
    }

    @Test(
        "an address names a host and a port",
        arguments: [
            ("https://a.example/api/interpreter", "a.example:443"), ("http://a.example", "a.example:80"),
            ("http://[::1]:8080/x", "[::1]:8080"),
        ])
    func endpoint(url: String, expected: String) { #expect(ReachDoctor.endpoint(of: url)?.description == expected) }

    @Test("as a process: well it ends with 0, and with 1 when something is wrong, in words and in JSON")
    func process() async throws {
        let data = try made()
        let arguments = ["doctor", "--data", data.path, "--port", "0", "--http-port", "0"]
        let well = try RunningWaymark(arguments, folder: TemporaryFolder())
        #expect(try await well.line()?.hasPrefix("ok       programs") == true)
        chmod(data.key.path, 0o644)
        let wrong = try RunningWaymark(arguments + ["--json"], folder: TemporaryFolder())
        let line = try #require(try await wrong.line())
        #expect(line.contains(#""advice":"chmod 600 "#))
        #expect(try await wrong.wait() == .exited(1))
        _ = try await well.wait()
    }
}
