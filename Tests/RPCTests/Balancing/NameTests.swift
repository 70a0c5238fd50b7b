import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("P44 Names whose addresses change", .timeLimit(.minutes(3)))
struct NameTests {
    /// Looks up often, so that a test need not wait long.
    private static var rules: BalancingRules {
        var rules = BalancingRules()
        rules.lookupInterval = .milliseconds(20)
        rules.shortestLookupInterval = .milliseconds(10)
        return rules
    }

    private static func counting(_ calls: Tally) -> Router {
        .echo(
            ScriptedEcho(unary: { _, _ in
                calls.add()
                return EchoResponse()
            }))
    }

    @Test("are looked up again and again: a server that is added is found, one that is taken away is left")
    func change() async throws {
        let calls = (0..<2).map { _ in Tally() }
        try await TestServer.with(each: calls.map(Self.counting)) { servers in
            let name = ChangingName([servers[0].address])
            try await name.withClient(rules: Self.rules) { client in
                let echo = EchoServiceClient(client)
                for _ in 0..<10 { _ = try await echo.echo(EchoRequest()) }
                #expect(calls[1].count == 0)
                name.set(servers.map(\.address))
                while calls[1].count == 0 { _ = try await echo.echo(EchoRequest()) }
                name.set([servers[1].address])
                while servers[0].server.connectionCount > 0 { _ = try await echo.echo(EchoRequest()) }
                let before = calls[0].count
                for _ in 0..<50 { _ = try await echo.echo(EchoRequest()) }
                #expect(calls[0].count == before)
                #expect(await client.addresses().map(\.address) == [servers[1].address])
            }
        }
    }

    @Test("leave calls alone that are in flight at an address which they lose")
    func inFlight() async throws {
        let (started, gate) = (Tally(), Tally())
        let held = ScriptedEcho(unary: { _, _ in
            started.add()
            try await gate.wait()
            return EchoResponse(payload: [7])
        })
        try await TestServer.with(each: [.echo(held), .echo()]) { servers in
            let name = ChangingName([servers[0].address])
            try await name.withClient(rules: Self.rules) { client in
                let echo = EchoServiceClient(client)
                async let answer = echo.echo(EchoRequest())
                try await started.wait()
                name.set([servers[1].address])
                while servers[1].server.connectionCount == 0 {
                    try await name.lookups.wait(for: name.lookups.count + 1)
                }
                _ = try await echo.echo(EchoRequest())
                #expect(servers[0].server.connectionCount == 1)
                gate.add()
                #expect(try await answer.payload == [7])
                #expect(await eventually { servers[0].server.connectionCount == 0 })
            }
        }
    }

    @Test("keep their last addresses when lookups fail or find nothing", arguments: [true, false])
    func lastGood(fails: Bool) async throws {
        try await TestServer.with(each: [.echo()]) { servers in
            let name = servers.name
            try await name.withClient(rules: Self.rules) { client in
                let echo = EchoServiceClient(client)
                _ = try await echo.echo(EchoRequest())
                name.set(fails ? nil : [])
                try await name.lookups.wait(for: name.lookups.count + 5)
                _ = try await echo.echo(EchoRequest())
                #expect(await client.addresses().count == 1)
            }
        }
    }

    @Test("fail calls as UNAVAILABLE while they have no address, and serve when they have", arguments: [true, false])
    func noAddress(fails: Bool) async throws {
        try await TestServer.with(each: [.echo()]) { servers in
            let name = ChangingName([])
            if fails { name.set(nil) }
            try await name.withClient(rules: Self.rules) { client in
                let echo = EchoServiceClient(client)
                let error = try await errorOf { try await echo.echo(EchoRequest()) }
                #expect(error?.code == .unavailable)
                #expect(error?.message.contains("name.test:1") == true)
                name.set(servers.map(\.address))
                while try await errorOf({ try await echo.echo(EchoRequest()) }) != nil { await Task.yield() }
            }
        }
    }

    @Test("are looked up at once when a connection fails")
    func failure() async throws {
        var rules = BalancingRules()
        rules.lookupInterval = .seconds(3600)
        rules.shortestLookupInterval = .milliseconds(1)
        let first = try await TestServer(.echo(), host: TestServer.quietHost)
        try await TestServer.with(each: [.echo()]) { servers in
            let name = ChangingName([first.address])
            try await name.withClient(rules: rules) { client in
                let echo = EchoServiceClient(client)
                _ = try await echo.echo(EchoRequest())
                name.set(servers.map(\.address))
                await first.stop()
                while try await errorOf({ try await echo.echo(EchoRequest()) }) != nil { await Task.yield() }
                #expect(servers[0].server.connectionCount == 1)
            }
        }
    }

    @Test("give no more than 32 calls to a server that has not said hello, and the rest when it has")
    func beforeHello() async throws {
        let listener = try RawListener()
        try await TestClient.with(listener.endpoint) { client in
            let calls = (0..<100).map { _ in
                Task { try await errorOf { try await EchoServiceClient(client).echo(EchoRequest()) } }
            }
            let socket = try await listener.accept()
            _ = try await socket.receive(.hello)
            var ids: [UInt32] = []
            for _ in 0..<32 { ids.append(try await socket.receive(.call).header.callID) }
            // An answered call makes room for one.
            try await socket.send(.hello)
            for _ in 32..<100 { ids.append(try await socket.receive(.call).header.callID) }
            for id in ids { try await socket.send(WireFrame(.message, call: id, isEnd: true)) }
            for call in calls { #expect(try await call.value == nil) }
        }
    }
}
