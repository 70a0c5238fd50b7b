import BaseContracts
import EventLoops
import RPC
import TestSupport
import Testing
import Wire

@Suite("P44 Calls to several addresses", .timeLimit(.minutes(3)))
struct BalancingTests {
    /// Echo as a method that must not be called twice.
    private static let once = MethodDescriptor(
        service: EchoServiceMethods.echo.service, method: EchoServiceMethods.echo.method, kind: .unary,
        isIdempotent: false, hasNoSideEffects: false, role: .anyone)

    /// An echo that counts its calls.
    private static func counting(_ calls: Tally) -> Router {
        .echo(
            ScriptedEcho(unary: { request, _ in
                calls.add()
                return EchoResponse(payload: request.payload)
            }))
    }

    /// Makes calls, so many at once, and gives the errors.
    private func errors(
        _ count: Int, atOnce: Int, _ client: RPCClient, method: MethodDescriptor = EchoServiceMethods.echo
    ) async throws -> [RPCError] {
        try await withThrowingTaskGroup(of: [RPCError].self) { group in
            for _ in 0..<atOnce {
                group.addTask {
                    var errors: [RPCError] = []
                    for _ in 0..<count / atOnce {
                        if let error = try await errorOf({ try await client.unaryBytes(method, [], CallOptions()) }) {
                            errors.append(error)
                        }
                    }
                    return errors
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Servers whose calls come in waves and wait for each other, so that all servers are equally fast.
    private struct Waves {
        let calls: [Tally]
        private let gate = Tally()
        private let size: Int

        init(servers: Int, size: Int) {
            calls = (0..<servers).map { _ in Tally() }
            self.size = size
        }

        var routers: [Router] {
            calls.map { calls in
                .echo(
                    ScriptedEcho(unary: { [gate] request, _ in
                        calls.add()
                        try await gate.wait(for: request.payload.count)
                        return EchoResponse()
                    }))
            }
        }

        var all: Int { calls.map(\.count).reduce(0, +) }

        /// Sends the calls of a wave, counted from 1, and returns when all have come to a server.
        func start(_ wave: Int, _ client: RPCClient) async throws -> [Task<RPCError?, any Error>] {
            let before = all
            let request = EchoRequest(payload: [UInt8](repeating: 0, count: wave))
            let sent = (0..<size).map { _ in
                Task { try await errorOf { try await EchoServiceClient(client).echo(request) } }
            }
            #expect(await eventually { all == before + size })
            return sent
        }

        /// Lets the servers answer a wave.
        func end(_ sent: [Task<RPCError?, any Error>]) async throws {
            gate.add()
            for call in sent { #expect(try await call.value == nil) }
        }
    }

    /// How even it is among servers that are alike, `BalancerTests` say: on a busy machine these are not.
    @Test("are spread: each of three servers gets a good part")
    func spread() async throws {
        let waves = Waves(servers: 3, size: 60)
        try await TestServer.with(each: waves.routers) { servers in
            try await servers.name.withClient { client in
                #expect(await connected(3, client))
                // The first waves tell how long calls take.
                for wave in 1...50 { try await waves.end(waves.start(wave, client)) }
                let before = waves.calls.map(\.count)
                for wave in 51...100 { try await waves.end(waves.start(wave, client)) }
                let counts = zip(waves.calls, before).map { $0.count - $1 }
                for count in counts { #expect(count >= 150, "\(counts)") }
                #expect(servers.allSatisfy { $0.server.connectionCount == 1 })
                let statistics = await client.addresses()
                #expect(statistics.map { Int($0.calls) } == waves.calls.map(\.count))
                #expect(statistics.allSatisfy { $0.outstanding == 0 && $0.failures == 0 && $0.connections == 1 })
                #expect(statistics.allSatisfy { $0.latencyNanoseconds != nil })
            }
        }
    }

    @Test("that are streams do not all go to the server where they end at once, and so leave it the emptiest")
    func failingStreams() async throws {
        let tried = Tally()
        let failing = ScriptedEcho(stream: { _, _, _ in
            tried.add()
            throw RPCError(.unavailable, "the store is away")
        })
        let good = ScriptedEcho(stream: { _, responses, _ in
            try await responses.write(EchoStreamResponse())
            try await Tally().wait()
        })
        try await TestServer.with(each: [.echo(failing), .echo(good)]) { servers in
            try await servers.name.withClient { client async throws in
                #expect(await connected(2, client))
                var open: [ResponseStream<EchoStreamResponse>.Iterator] = []
                for _ in 0..<100 {
                    let reader = EchoServiceClient(client).echoStream(EchoStreamRequest()).makeAsyncIterator()
                    #expect(try await reader.next() != nil)
                    open.append(reader)
                }
                #expect(tried.count < 50, "\(tried.count) of 100 streams were tried at the server that fails")
            }
        }
    }

    @Test("made on several loops go over connections of each loop")
    func loops() async throws {
        try await TestServer.with(each: [.echo(), .echo()]) { servers in
            try await servers.name.withClient(loops: 2) { client in
                _ = try await errors(100, atOnce: 20, client)
                #expect(await eventually { servers.allSatisfy { $0.server.connectionCount == 2 } })
            }
        }
    }

    @Test("that are in flight at a server which dies are made elsewhere, none is lost")
    func death() async throws {
        let waves = Waves(servers: 3, size: 60)
        try await TestServer.with(each: waves.routers) { servers in
            try await servers.name.withClient { client in
                #expect(await connected(3, client))
                for wave in 1...20 { try await waves.end(waves.start(wave, client)) }
                let held = try await waves.start(21, client)
                let (before, died) = (waves.all, await client.addresses()[2].outstanding)
                await servers[2].stop()
                #expect(await eventually { waves.all == before + died })
                try await waves.end(held)
                let statistics = await client.addresses()
                #expect(died >= 10 && died <= 30, "\(died)")
                #expect(statistics.map(\.retries) == [statistics[0].retries, UInt64(died) - statistics[0].retries, 0])
                #expect(statistics[2].failures == UInt64(died))
            }
        }
    }

    @Test("go on without an error while one of three servers dies under load")
    func deathUnderLoad() async throws {
        let calls = (0..<3).map { _ in Tally() }
        try await TestServer.with(each: calls.map(Self.counting)) { servers in
            try await servers.name.withClient(loops: 2) { client in
                async let errors = errors(6000, atOnce: 30, client)
                try await calls[1].wait(for: 300)
                await servers[1].stop()
                #expect(try await errors.isEmpty)
            }
        }
    }

    @Test("that were cut off in flight go to another server although their own takes connections again")
    func cutOff() async throws {
        let listener = try RawListener()
        let calls = Tally()
        try await TestServer.with(each: [Self.counting(calls)]) { servers in
            let raw = try await BlockingCalls.run { try listener.endpoint.resolve() }
            try await ChangingName(raw).withClient { client in
                let call = Task { try await errors(1, atOnce: 1, client) }
                let socket = try await listener.acceptWithHello()
                _ = try await socket.receive(.call)
                withExtendedLifetime(call) {}
                socket.reset()
                // The only address: the call comes again to it, after a pause.
                let again = try await listener.acceptWithHello()
                let id = try await again.receive(.call).header.callID
                try await again.send(WireFrame(.message, call: id, isEnd: true))
                #expect(try await call.value.isEmpty)
                #expect(calls.count == 0)
            }
            try await ChangingName(raw + servers.map(\.address)).withClient { client in
                let (call, socket) = try await held(by: listener, client)
                socket.reset()
                #expect(try await call.value.isEmpty)
            }
        }
    }

    /// A call that has come to this listener, and its connection.
    private func held(
        by listener: RawListener, _ client: RPCClient, method: MethodDescriptor = EchoServiceMethods.echo
    ) async throws -> (Task<[RPCError], any Error>, RawSocket) {
        let connecting = Task { try await errors(1, atOnce: 1, client) }
        let socket = try await listener.acceptWithHello()
        let calls = (0..<20).map { _ in Task { try await errors(1, atOnce: 1, client, method: method) } }
        _ = try await socket.receive(.call)
        return (
            Task {
                var all = try await connecting.value
                for call in calls { all += try await call.value }
                return all
            }, socket
        )
    }

    @Test("that a leaving server has not started go elsewhere, also those that must not be made twice")
    func goAway() async throws {
        let listener = try RawListener()
        try await TestServer.with(each: [.echo()]) { servers in
            let raw = try await BlockingCalls.run { try listener.endpoint.resolve() }
            try await ChangingName(raw + servers.map(\.address)).withClient { client in
                let (calls, socket) = try await held(by: listener, client, method: Self.once)
                try await socket.send(WireFrame(.goAway, GoAway(lastCallId: 0, reason: "shutting down")))
                #expect(try await calls.value.isEmpty)
                #expect(await client.addresses().allSatisfy { $0.retries == 0 && $0.failures == 0 })
                withExtendedLifetime(socket) {}
            }
        }
    }

    @Test("keep away from a server that has said goodbye while it ends what it has begun")
    func drains() async throws {
        let listener = try RawListener()
        let calls = Tally()
        try await TestServer.with(each: [Self.counting(calls)]) { servers in
            let raw = try await BlockingCalls.run { try listener.endpoint.resolve() }
            try await ChangingName(raw + servers.map(\.address)).withClient { client in
                let connecting = Task { try await errors(1, atOnce: 1, client) }
                let socket = try await listener.acceptWithHello()
                let wanted = (0..<20).map { _ in Task { try await errors(1, atOnce: 1, client) } }
                let first = try await socket.receive(.call).header.callID
                try await socket.send(WireFrame(.goAway, GoAway(lastCallId: first, reason: "shutting down")))
                try await calls.wait(for: 20)
                #expect(try await errors(200, atOnce: 10, client).isEmpty)
                #expect(await client.addresses().map(\.connections) == [1, 1])
                try await socket.send(WireFrame(.message, call: first, isEnd: true))
                for call in wanted + [connecting] { #expect(try await call.value.isEmpty) }
                #expect(calls.count == 220)
            }
        }
    }

    @Test("do not fail while one server after the other stops gracefully and comes back, whatever they do")
    func rollingRestart() async throws {
        let calls = Tally()
        var servers: [TestServer] = []
        for index in 1...3 {
            servers.append(try await TestServer(Self.counting(calls), host: "127.77.0.\(index + 1)"))
        }
        try await servers.name.withClient { client in
            let end = Tally()
            let load = (0..<10).map { _ in
                Task {
                    var all: [RPCError] = []
                    while end.count == 0 { all += try await errors(1, atOnce: 1, client, method: Self.once) }
                    return all
                }
            }
            for index in servers.indices {
                try await calls.wait(for: calls.count + 200)
                await servers[index].server.shutDown(grace: .seconds(60))
                servers[index].group.shutDown()
                try await calls.wait(for: calls.count + 200)
                servers[index] = try await TestServer(
                    Self.counting(calls), host: "127.77.0.\(index + 2)", port: servers[index].port)
            }
            end.add()
            var all: [RPCError] = []
            for worker in load { all += try await worker.value }
            #expect(all.isEmpty, "\(all.count): \(all.first?.description ?? "")")
        }
        for server in servers { await server.stop() }
    }

    @Test("are fewer to a server that answers slowly")
    func slow() async throws {
        let (fast, slow) = (Tally(), Tally())
        let end = Tally()
        let late = ScriptedEcho(unary: { _, _ in
            slow.add()
            // It answers when the others have answered forty more.
            if end.count == 0 { try await fast.wait(for: fast.count + 40) }
            return EchoResponse()
        })
        try await TestServer.with(each: [Self.counting(fast), Self.counting(fast), .echo(late)]) { servers in
            try await servers.name.withClient { client in
                let load = (0..<30).map { _ in
                    Task<Void, any Error> { while end.count == 0 { _ = try await errors(1, atOnce: 1, client) } }
                }
                try await fast.wait(for: 4000)
                end.add()
                for _ in 0..<100 { fast.add() }
                for worker in load { try await worker.value }
                // Were it given as many as each of the others, it would have half as many as both.
                #expect(slow.count < fast.count / 4, "\(slow.count) of \(fast.count)")
            }
        }
    }

    @Test("that fail eject their servers, never more than half of them, and find those that serve")
    func ejection() async throws {
        let failing = ScriptedEcho(unary: { _, _ in throw RPCError(.unavailable, "down") })
        try await TestServer.with(each: [.echo(failing), .echo(failing), .echo(failing), .echo()]) { servers in
            try await servers.name.withClient { client in
                var most = 0
                for _ in 0..<30 {
                    _ = try await errors(20, atOnce: 10, client)
                    most = max(most, await client.addresses().map(\.ejected).reduce(0, +))
                }
                #expect(most == 2)
                let statistics = await client.addresses()
                #expect(statistics[3].ejections == 0)
                #expect(statistics[3].calls > statistics[0].calls)
            }
        }
    }

    @Test("are sent again a bounded number of times when every server fails")
    func budget() async throws {
        let calls = Tally()
        let failing = ScriptedEcho(unary: { _, _ in
            calls.add()
            throw RPCError(.unavailable, "down")
        })
        try await TestServer.with(each: [.echo(failing), .echo(failing), .echo(failing)]) { servers in
            try await servers.name.withClient { client in
                let all = try await errors(1000, atOnce: 1000, client)
                #expect(all.count == 1000)
                // Twenty, and a fifth of the calls.
                #expect(calls.count >= 1020 && calls.count <= 1220, "\(calls.count)")
            }
        }
    }

    @Test("to a name with nothing but dead addresses fail as UNAVAILABLE, and name one")
    func dead() async throws {
        let nobody = (try ClosedPort(), try ClosedPort())
        let addresses = try await BlockingCalls.run {
            try nobody.0.endpoint.resolve() + nobody.1.endpoint.resolve()
        }
        try await ChangingName(addresses).withClient { client in
            let all = try await errors(100, atOnce: 20, client)
            #expect(all.count == 100)
            #expect(all.allSatisfy { $0.code == .unavailable })
            #expect(all.contains { error in addresses.contains { error.message.contains("\($0)") } })
        }
        withExtendedLifetime(nobody) {}
    }

    @Test("to a name of which one address is dead all go to the other")
    func oneDead() async throws {
        let nobody = try ClosedPort()
        let calls = Tally()
        try await TestServer.with(each: [Self.counting(calls)]) { servers in
            let addresses = try await BlockingCalls.run { try nobody.endpoint.resolve() } + servers.map(\.address)
            try await ChangingName(addresses).withClient { client in
                let all = try await errors(1000, atOnce: 10, client, method: Self.once)
                #expect(all.isEmpty)
                #expect(calls.count == 1000)
            }
        }
        withExtendedLifetime(nobody) {}
    }

    @Test("as streams go to the servers in turn of how many they have")
    func streams() async throws {
        let opened = (0..<2).map { _ in Tally() }
        let gate = Tally()
        let routers = opened.map { opened in
            Router.echo(
                ScriptedEcho(stream: { _, _, _ in
                    opened.add()
                    try await gate.wait()
                }))
        }
        try await TestServer.with(each: routers) { servers in
            try await servers.name.withClient { client in
                #expect(await connected(2, client))
                let reading = (0..<40).map { _ in
                    Task { for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) {} }
                }
                #expect(await eventually { opened[0].count + opened[1].count == 40 })
                #expect(opened.map(\.count) == [20, 20])
                #expect(await client.addresses().map(\.streams) == opened.map(\.count))
                gate.add()
                for task in reading { try await task.value }
            }
        }
    }

    /// Whether so many addresses get connected.
    private func connected(_ count: Int, _ client: RPCClient) async -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end {
            _ = try? await errors(1, atOnce: 1, client)
            if await client.addresses().count(where: { $0.connections > 0 && $0.latencyNanoseconds != nil }) == count {
                return true
            }
        }
        return false
    }
}
