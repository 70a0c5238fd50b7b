import Budgets
import Contracts
import EventLoops
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import Daemon

@Suite("E16 a handler works for its caller")
struct SharerTests {
    private static let client = ClientKey("192.0.2.7")
    private static let pool = BlockingPool(threadCount: 1)

    /// For whom a handler works at its beginning, and after it has waited for something.
    private static func seen() async throws -> Set<Sharer> {
        var seen: Set = [Sharer.current]
        await Task.yield()
        seen.insert(.current)
        try await pool.run {}
        return seen.union([.current])
    }

    @Test("from its beginning to its end, whatever it waits for and however it answers", arguments: [true, false])
    func bound(isStranger: Bool) async throws {
        let key = try #require(DeploymentKey(bytes: [UInt8](repeating: 7, count: 32)))
        let claim = isStranger ? IdentityClaim.stranger(Self.client) : .account("ann", .user, by: .session("s"))
        let expected: Set = [isStranger ? Sharer(Self.client, .known) : Sharer(ClientKey(account: "ann"), .known)]
        let handlers = Tally()
        let check = { @Sendable in
            let seen = try await Self.seen()
            #expect(seen == expected)
            handlers.add()
        }
        let echo = ScriptedEcho(
            unary: { _, _ in
                try await check()
                return EchoResponse()
            }, stream: { _, _, _ in try await check() },
            joined: { _, _ in
                try await check()
                return EchoJoinedResponse()
            }, each: { _, _, _ in try await check() })
        try await TestServer.with(.echo(echo), interceptors: [IdentityCheck(key)]) { server in
            try await TestClient.with(server.endpoint) { rpc in
                let options = CallOptions(
                    deadline: .now + .seconds(60), signedIdentity: IdentitySigner(key).sign(claim, from: Self.client))
                let client = EchoServiceClient(rpc)
                // A task that has run a call runs the next one.
                for _ in 0..<2 { _ = try await client.echo(EchoRequest(), options) }
                for try await _ in client.echoStream(EchoStreamRequest(), options) {}
                _ = try await client.echoJoined(options) { _ in }
                try await client.echoEach(options) { _, answers in for try await _ in answers {} }
            }
        }
        #expect(handlers.count == 5)
    }
}
