import Contracts
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("What a call takes from the heap")
struct AllocationTests {
    /// Allocations of a gateway for each call, with one call under way, as they were measured when this was written. A
    /// change that needs more has to say why, here; one that needs clearly fewer lowers the figure.
    private static let echoBaseline = 9.0
    private static let calls = 2_000

    @Test("is no more than it was: an echo")
    func echo() async throws {
        try await Self.counting("gateway", ["--http", "none"]) { client, count in
            let stub = EchoServiceClient(client)
            let request = EchoRequest(payload: [UInt8](repeating: 7, count: 32))
            func call(_ times: Int) async throws {
                for _ in 0..<times { _ = try await stub.echo(request, CallOptions(timeout: .seconds(60))) }
            }
            try await call(Self.calls)
            let before = try count()
            try await call(Self.calls)
            let each = Double(try count() - before) / Double(Self.calls)
            #expect(each <= Self.echoBaseline + 0.1, "an echo takes \(each) allocations")
            #expect(each > Self.echoBaseline - 1, "an echo takes \(each) allocations only: lower the baseline")
        }
    }

    /// Runs a service whose allocations are counted.
    private static func counting(
        _ service: String, _ arguments: [String],
        _ body: (RPCClient, () throws -> UInt64) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        try WholeFile.write([UInt8](repeating: 0, count: 8), to: folder.file("count"))
        let process = try await ServiceProcess.start(
            service, folder: folder.path,
            ["--data", folder.file("data"), "--loops", "1", "--log-level", "error"] + arguments,
            environment: [
                "LD_PRELOAD": ProgramRun.path("libMallocShim.so"), "WAYMARK_MALLOC_COUNT": folder.file("count"),
            ])
        try await TestClient.with(process.endpoint) { client in
            try await body(client) {
                try WholeFile.bytes(folder.file("count")).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
        #expect(try await process.end(by: SIGTERM).code == 0)
    }
}
