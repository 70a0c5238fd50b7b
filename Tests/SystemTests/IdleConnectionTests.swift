import Contracts
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite(
    "Connections that say nothing", .timeLimit(.minutes(5)),
    .disabled(if: getenv("ASAN_OPTIONS") != nil, "a sanitizer keeps memory of its own"))
struct IdleConnectionTests {
    private static let count = 10_000
    /// Bytes of a service at rest. Built for tests, with the libraries of the toolchain, it has 36 MiB; four of them
    /// came with libcurl and what that loads, since the pin service sends mail and asks login providers.
    private static let bound = 38 << 20

    @Test("take at most 20 KiB each of a service that has less than 38 MiB, keep no call from it, and leave nothing")
    func memory() async throws {
        try OpenFiles.allow(Self.count + 1_000)
        let folder = TemporaryFolder()
        let process = try await ServiceProcess.start(
            "pin-service", folder: folder.path, ["--data", folder.file("data"), "--log-level", "error"])
        let admin = try #require(process.admin)
        func metric(_ name: String) async throws -> Int {
            let text = try await HTTPSocket(connectingTo: admin.port).ask("GET", "/metrics").text
            return Int(try #require(try PrometheusText(text).value(name)))
        }
        func residentBytes() async throws -> Int { try await metric("process_resident_memory_bytes") }
        func connections() async throws -> Int { try await metric("waymark_rpc_server_connections") }

        let atRest = try await residentBytes()
        #expect(atRest < Self.bound, "\(atRest) bytes at rest")
        for round in 1...2 {
            let idle = try await Self.connect(to: process.endpoint.port)
            #expect(try await connections() == Self.count)
            let each = (try await residentBytes() - atRest) / Self.count
            #expect(each <= 20 << 10, "round \(round): \(each) bytes for each connection")
            try await Self.call(try await RawSocket(connectingTo: process.endpoint.port))
            // They have not been forgotten.
            for socket in idle.prefix(100) { try await Self.call(socket, id: 2, isNew: false) }
            for socket in idle.suffix(Self.count / 2) { socket.reset() }
            _ = consume idle
            while try await connections() > 0 {}
        }
        #expect(try await process.end(by: SIGTERM).code == 0)
    }

    /// So many connections, each of which made one call.
    private static func connect(to port: UInt16) async throws -> [RawSocket] {
        try await withThrowingTaskGroup(of: [RawSocket].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var sockets: [RawSocket] = []
                    for _ in 0..<count / 8 {
                        sockets.append(try await RawSocket(connectingTo: port))
                        if let socket = sockets.last { try await call(socket) }
                    }
                    return sockets
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func call(_ socket: RawSocket, id: UInt32 = 1, isNew: Bool = true) async throws {
        if isNew { try await socket.send(.hello) }
        try await socket.send(.call(id, EchoServiceMethods.echo, EchoRequest(payload: [7])))
        let answer = try await socket.receive(.message)
        #expect(try answer.header.callID == id && EchoResponse(packed: answer.payload).payload == [7])
    }
}
