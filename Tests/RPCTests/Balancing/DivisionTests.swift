import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("P43 Servers behind one name", .timeLimit(.minutes(3)))
struct DivisionTests {
    /// Calls until one ends in an error, or until both servers have answered.
    private func call(_ client: RPCClient, _ servers: [TestServer]) async throws -> RPCError? {
        let echo = EchoServiceClient(client)
        for _ in 0..<10_000 {
            if let error = try await errorOf({ try await echo.echo(EchoRequest(), CallOptions()) }) { return error }
            let answered = await client.addresses().count { $0.calls > $0.failures }
            if answered == servers.count { return nil }
        }
        return nil
    }

    @Test("that keep different data get no calls, and the error says what to set")
    func different() async throws {
        try await TestServer.with(each: [.echo(ScriptedEcho()), .echo(ScriptedEcho())], data: ["one", "two"]) {
            servers in
            try await servers.name.withClient { client in
                let error = try await call(client, servers)
                let (one, two) = (servers[0].address, servers[1].address)
                #expect(error?.code == .failedPrecondition)
                #expect(
                    error?.message
                        == "\(one) and \(two), both behind name.test:1, keep different data; give all replicas"
                        + " the same --database and --blobs")
                // Once one of them is gone, the other answers.
                await servers[1].stop()
                var last: RPCError?
                repeat {
                    last = try await errorOf { try await EchoServiceClient(client).echo(EchoRequest(), CallOptions()) }
                } while last?.code == .failedPrecondition
                #expect(last == nil)
            }
        }
    }

    @Test("that keep the same data, or none, share the calls", arguments: [["one", "one"], [], ["one"]])
    func same(data: [String]) async throws {
        try await TestServer.with(each: [.echo(ScriptedEcho()), .echo(ScriptedEcho())], data: data) { servers in
            try await servers.name.withClient { client in
                let error = try await call(client, servers)
                #expect(error == nil)
            }
        }
    }
}
