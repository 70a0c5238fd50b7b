import Contracts
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("P41 a service as a process", .timeLimit(.minutes(2)))
struct ServiceProcessTests {
    /// A gateway that is ready, and where it listens.
    private func gateway(_ folder: TemporaryFolder, _ more: String...) async throws -> (ProgramRun, Endpoint) {
        let listen = ["--listen", "\(TestServer.quietHost):0", "--http", "\(TestServer.quietHost):0"]
        let process = try await ServiceProcess.start("gateway", folder: folder.path, listen + more)
        return (process.program, process.endpoint)
    }

    @Test("says once that it is ready, answers, and ends well on SIGTERM or SIGINT", arguments: [SIGTERM, SIGINT])
    func lifetime(signal: Int32) async throws {
        let folder = TemporaryFolder()
        let (run, endpoint) = try await gateway(folder)
        try await TestClient.with(endpoint) { client in
            _ = try await EchoServiceClient(client).echo(EchoRequest(payload: [1]))
            let status = try await HealthServiceClient(client).check(CheckRequest()).status
            #expect(status == .serving)
        }
        run.send(signal: signal)
        let end = try await run.end()
        #expect(end.code == 0)
        #expect(end.output.isEmpty, "nothing but the ready line goes to standard output")
        let lines = end.errors.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("{\"time\":") && $0.hasSuffix("}") })
        #expect(lines.last?.contains("\"stopped\"") == true)
        #expect(!end.errors.contains(ServiceProcess.key), "the key stays out of the log")
    }

    @Test("lets an open call end before it stops, and takes no new connections meanwhile")
    func graceful() async throws {
        let folder = TemporaryFolder()
        let (run, endpoint) = try await gateway(folder)
        try await TestClient.with(endpoint) { client async throws in
            let reader = EchoServiceClient(client).echoStream(
                EchoStreamRequest(payload: [UInt8](repeating: 1, count: 64 << 10), count: 80)
            ).makeAsyncIterator()
            #expect(try await reader.next()?.index == 0)
            run.send(signal: SIGTERM)
            // The port is free as soon as the process has begun to stop.
            let isRefused = await refused(endpoint)
            #expect(isRefused)
            for index in 1..<UInt32(80) { #expect(try await reader.next()?.index == index) }
            #expect(try await reader.next() == nil)
        }
        #expect(try await run.end().code == 0)
    }

    private func refused(_ endpoint: Endpoint) async -> Bool {
        let end = MonotonicTime.now + .seconds(20)
        while MonotonicTime.now < end {
            do {
                _ = try await RawSocket(connectingTo: endpoint.port, isQuiet: true)
            } catch {
                return true
            }
        }
        return false
    }

    @Test("ends although somebody watches its health")
    func watched() async throws {
        let folder = TemporaryFolder()
        let (run, endpoint) = try await gateway(folder)
        try await TestClient.with(endpoint) { client async throws in
            let reader = HealthServiceClient(client).watch(WatchRequest()).makeAsyncIterator()
            #expect(try await reader.next()?.status == .serving)
            let start = MonotonicTime.now
            run.send(signal: SIGTERM)
            #expect(try await reader.next()?.status == .notServing)
            #expect(try await run.end().code == 0)
            #expect(
                MonotonicTime.now.since(start) < .seconds(15), "a watcher does not hold up the stop for the whole grace"
            )
        }
    }

    @Test("ends when its lifeline is cut")
    func lifeline() async throws {
        let folder = TemporaryFolder()
        let (run, _) = try await gateway(folder, "--lifeline", "\(ProgramRun.lifelineDescriptor)")
        run.cutLifeline()
        #expect(try await run.end().code == 0)
    }

    @Test("checked by --check: 0 while it serves, 1 when nobody is there")
    func check() async throws {
        let folder = TemporaryFolder()
        let (run, endpoint) = try await gateway(folder)
        let serving = try await ProgramRun.run("gateway", ["--check", "--listen", "\(endpoint)"])
        #expect(serving.code == 0)
        #expect(serving.errors.isEmpty && serving.output.isEmpty)
        run.send(signal: SIGTERM)
        _ = try await run.end()
        let gone = try await ProgramRun.run("gateway", ["--check", "--listen", "\(endpoint)"])
        #expect(gone.code == 1)
        #expect(gone.errors.contains("\(endpoint)"))
        #expect(gone.errors.split(separator: "\n").count == 1)
    }

    @Test("says in one sentence why it can't start")
    func startFailures() async throws {
        let folder = TemporaryFolder()
        let keyFile = try folder.write(ServiceProcess.key, to: "key")
        let shortKey = try folder.write("abc", to: "short")
        let (run, endpoint) = try await gateway(folder)
        let cases: [(arguments: [String], code: Int32, text: String)] = [
            (["--listen", "\(endpoint)", "--key-file", keyFile], 1, "\(endpoint) is taken by another process"),
            (["--listen", "127.0.0.1:0"], 2, "--key-file or WAYMARK_KEY_FILE must be given"),
            (["--listen", "127.0.0.1:0", "--key-file", "/nowhere/key"], 1, "/nowhere/key: No such file"),
            (["--listen", "127.0.0.1:0", "--key-file", shortKey], 1, "64 hexadecimal digits"),
            (["--listen", "nonsense", "--key-file", keyFile], 2, "--listen is nonsense, HOST:PORT is needed"),
            (["--listen", "192.0.2.1:0", "--key-file", keyFile], 1, "192.0.2.1"),
            (["--loops", "0", "--key-file", keyFile], 2, "--loops is 0"),
            (["--log-level", "loud", "--key-file", keyFile], 2, "--log-level is loud"),
            (["--unknown"], 2, "this program has no flag --unknown"),
        ]
        for (arguments, code, text) in cases {
            let end = try await ProgramRun.run("gateway", arguments)
            #expect(end.code == code, "\(arguments): \(end.errors)")
            #expect(end.errors.contains(text), "\(arguments): \(end.errors)")
            #expect(end.output.isEmpty)
        }
        run.send(signal: SIGTERM)
        _ = try await run.end()
    }

    @Test("reads its settings from the environment too")
    func environment() async throws {
        let folder = TemporaryFolder()
        let keyFile = try folder.write(ServiceProcess.key, to: "key")
        let run = try ProgramRun(
            "gateway", ["--log-level", "error"],
            environment: [
                "WAYMARK_LISTEN": "127.0.0.1:0", "WAYMARK_HTTP": "127.0.0.1:0", "WAYMARK_KEY_FILE": keyFile,
                "WAYMARK_LOG_LEVEL": "nonsense",
            ])
        #expect(try await run.line().contains("\"ready\""))
        run.send(signal: SIGTERM)
        let end = try await run.end()
        #expect(end.code == 0)
        #expect(end.errors.isEmpty, "nothing is logged below the level")
    }

    @Test("explains itself", arguments: ["--help", "--version"])
    func explains(flag: String) async throws {
        let end = try await ProgramRun.run("gateway", [flag])
        #expect(end.code == 0)
        #expect(end.output.hasPrefix("gateway"))
        #expect(end.errors.isEmpty)
    }
}
