import Budgets
import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("E3 the memory that clients make a server hold", .timeLimit(.minutes(3)))
struct MemoryTests {
    /// Runs `body` against a server with little memory, which must never be passed and be free again at the end.
    private static func with(
        _ mebibytes: Int = 8, _ router: Router = .echo(), limits: Limits = Limits(),
        _ body: (TestServer, MemoryBudget) async throws -> Void
    ) async throws {
        let budget = MemoryBudget(bytes: mebibytes << 20)
        try await TestServer.with(router, limits: limits, memory: budget) { server in
            try await body(server, budget)
            #expect(budget.usage.most <= budget.limit)
        }
        #expect(budget.usage.held == 0, "what was held is given back")
    }

    private static func call(_ id: UInt32, bytes: Int) -> WireFrame {
        .call(id, EchoServiceMethods.echo, EchoRequest(payload: [UInt8](repeating: 7, count: bytes)))
    }

    @Test("frames that lack a byte take no more than there is; what has no room is refused, and the connection goes on")
    func unfinishedFrames() async throws {
        try await Self.with { server, budget in
            var sockets: [RawSocket] = []
            let frame = Self.call(1, bytes: 2 << 20).bytes
            for _ in 0..<8 {
                let socket = try await RawSocket(connectingTo: server.port)
                try await socket.send(.hello)
                // Let in before the others hold all that there is: a connection needs memory too.
                _ = try await socket.receive(.hello)
                sockets.append(socket)
            }
            for socket in sockets { try await socket.send(Array(frame.dropLast())) }
            var refused = 0
            for socket in sockets {
                try await socket.send([frame[frame.count - 1]])
                let answer = try await socket.receive(.message, or: .status)
                if answer.header.kind == .status {
                    #expect(try answer.status == .resourceExhausted)
                    refused += 1
                }
                try await socket.send(Self.call(2, bytes: 10))
                #expect(try await socket.receive(.message).header.callID == 2)
            }
            #expect(refused >= 4 && budget.usage.refused > 0)
        }
    }

    @Test("calls whose answers nobody reads are refused beyond it, and each is answered once they are read")
    func unreadAnswers() async throws {
        try await Self.with(16) { server, budget in
            let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 4096)
            try await socket.send(.hello)
            let count = 100
            async let sending: Void = {
                for id in 1...count { try await socket.send(Self.call(UInt32(id), bytes: 512 << 10)) }
            }()
            var answered: Set<UInt32> = []
            while answered.count < count {
                let frame = try await socket.receive(.message, or: .status)
                if frame.header.kind == .status { #expect(try frame.status == .resourceExhausted) }
                answered.insert(frame.header.callID)
            }
            try await sending
        }
    }

    @Test("a client that reads nothing of what it asks for is stopped or let go", arguments: [FrameKind.ping, .call])
    func nothingRead(kind: FrameKind) async throws {
        try await Self.with { server, budget in
            let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 4096)
            try await socket.send(.hello)
            var id: UInt32 = 0
            let batch = {
                (0..<200).flatMap { _ in
                    id += 1
                    return kind == .ping
                        ? WireFrame(.ping, [UInt8](repeating: 1, count: 1024)).bytes : Self.call(id, bytes: 4000).bytes
                }
            }
            // Either the server stops reading, and sending does not go on, or it closes.
            let sent = Tally()
            let sender = Task {
                while true {
                    try await socket.send(batch())
                    sent.add()
                }
            }
            try await sent.wait()
            while budget.usage.held < 300_000, server.server.connectionCount > 0 { await Task.yield() }
            #expect(budget.usage.held < 8 << 20)
            sender.cancel()
            socket.reset()
            _ = await sender.result
        }
    }

    @Test("a hello that leaves no room for a status is refused")
    func tinyHello() async throws {
        try await Self.with { server, _ in
            let socket = try await RawSocket(connectingTo: server.port)
            try await socket.send(WireFrame(.hello, Hello(maximumPayloadBytes: 1).packedBytes()))
            let goodbye = try GoAway(packed: try await socket.receive(.goAway).payload)
            #expect(goodbye.reason.contains("at least 256 are needed"))
        }
    }

    @Test("a PING or a HELLO of megabytes ends the connection", arguments: [FrameKind.ping, .hello, .credit, .goAway])
    func longControlFrames(kind: FrameKind) async throws {
        try await Self.with { server, budget in
            let socket = try await RawSocket(connectingTo: server.port)
            if kind != .hello { try await socket.send(.hello) }
            try? await socket.send(WireFrame(kind, [UInt8](repeating: 0, count: 1 << 20)))
            let goodbye = try GoAway(packed: try await socket.receive(.goAway).payload)
            #expect(goodbye.reason.contains("at most"))
            #expect(budget.usage.most < 100_000)
        }
    }
}
