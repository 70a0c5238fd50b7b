import BaseContracts
import RPC
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Server streams", .timeLimit(.minutes(3)))
struct ServerStreamTests {
    @Test("arrive whole and in order", arguments: [UInt32(0), 1, 2, 5000])
    func inOrder(count: UInt32) async throws {
        try await TestServer.with(.echo()) { server in
            try await server.withClient { client in
                var indexes: [UInt32] = []
                let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 100), count: count)
                for try await message in EchoServiceClient(client).echoStream(request) { indexes.append(message.index) }
                #expect(indexes == Array(0..<count))
            }
        }
    }

    @Test("may hold messages larger than the whole credit")
    func largerThanCredit() async throws {
        var limits = Limits()
        limits.streamCredit = 100
        try await TestServer.with(.echo()) { server in
            try await server.withClient(limits: limits) { client in
                let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 100_000), count: 20)
                var count = 0
                for try await message in EchoServiceClient(client).echoStream(request) {
                    #expect(message.payload.count == 100_000)
                    count += 1
                }
                #expect(count == 20)
            }
        }
    }

    @Test("are whole when the socket takes only a part of a long message at once")
    func longBesideShort() async throws {
        var limits = Limits()
        limits.streamCredit = 64 << 20
        let sizes = (0..<60).map { $0.isMultiple(of: 3) ? 10 : 20_000 * $0 }
        let service = ScriptedEcho(stream: { _, responses, _ in
            for (index, size) in sizes.enumerated() {
                let message = EchoStreamResponse(payload: Self.pattern(size, index), index: UInt32(index))
                try await responses.write(packed: message.packedBytes())
            }
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient(limits: limits) { client in
                var next = 0
                for try await message in EchoServiceClient(client).echoStream(EchoStreamRequest()) {
                    #expect(message.index == next)
                    try #require(message.payload == Self.pattern(sizes[next], next))
                    next += 1
                }
                #expect(next == sizes.count)
            }
        }
    }

    /// Cut out of one that repeats every 251 bytes: cheap also where nothing is optimized.
    private static func pattern(_ count: Int, _ start: Int) -> [UInt8] { Array(noise[start..<start + count]) }

    private static let noise: [UInt8] = {
        var bytes = Array<UInt8>(0..<251)
        while bytes.count < 2_000_000 { bytes += bytes }
        return bytes
    }()

    @Test("tell their error after the messages that came before it")
    func errorAtEnd() async throws {
        let service = ScriptedEcho(stream: { _, responses, _ in
            for index in 0..<3 { try await responses.write(EchoStreamResponse(index: UInt32(index))) }
            throw RPCError(.dataLoss, "the rest is gone")
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                var count = 0
                let error = try await errorOf {
                    for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) { count += 1 }
                }
                #expect(count == 3)
                #expect(error?.code == .dataLoss)
                #expect(error?.message == "the rest is gone")
            }
        }
    }

    @Test("wait for a slow reader: the server sends no more than the credit, and other calls are not held up")
    func slowReader() async throws {
        var limits = Limits()
        limits.streamCredit = 2000
        let written = Tally()
        let service = ScriptedEcho(stream: { request, responses, _ in
            for index in 0..<request.count {
                try await responses.write(EchoStreamResponse(payload: request.payload, index: index))
                written.add()
            }
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient(limits: limits) { client in
                let echo = EchoServiceClient(client)
                let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 100), count: 500)
                let reader = echo.echoStream(request).makeAsyncIterator()
                #expect(try await reader.next()?.index == 0)
                // Every round trip is at least one turn of the server's loop: time enough for a server that runs on.
                for _ in 0..<100 { _ = try await echo.echo(EchoRequest()) }
                // A message costs at least 112 bytes; one may overdraw the credit.
                #expect(written.count <= 2000 / 112 + 2)
                for index in 1..<UInt32(500) { #expect(try await reader.next()?.index == index) }
                #expect(try await reader.next() == nil)
                #expect(written.count == 500)
                #expect(server.server.connectionCount == 1)
            }
        }
    }

    @Test("do not hold up another stream on the same connection when nobody reads them")
    func neighbours() async throws {
        var limits = Limits()
        limits.streamCredit = 1000
        try await TestServer.with(.echo()) { server in
            try await server.withClient(limits: limits) { client in
                let echo = EchoServiceClient(client)
                let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 200), count: 1000)
                let stalled = echo.echoStream(request).makeAsyncIterator()
                #expect(try await stalled.next()?.index == 0)
                var count = 0
                for try await _ in echo.echoStream(request) { count += 1 }
                #expect(count == 1000)
                for index in 1..<UInt32(1000) { #expect(try await stalled.next()?.index == index) }
            }
        }
    }

    @Test("end for a reader that takes nothing, who is asked to begin again; one to whom nothing was sent goes on")
    func unread() async throws {
        var (limits, served) = (Limits(), Limits())
        limits.streamCredit = 1000
        served.streamPatience = .milliseconds(50)
        let ended = Tally()
        let service = ScriptedEcho(stream: { request, responses, _ in
            guard request.count > 0 else {
                try await responses.write(EchoStreamResponse())
                try await ended.wait()
                return try await responses.write(EchoStreamResponse(index: 1))
            }
            defer { ended.add() }
            while true { try await responses.write(EchoStreamResponse(payload: [1])) }
        })
        try await TestServer.with(.echo(service), limits: served) { server in
            try await server.withClient(limits: limits) { client in
                let echo = EchoServiceClient(client)
                let quiet = echo.echoStream(EchoStreamRequest()).makeAsyncIterator()
                #expect(try await quiet.next()?.index == 0)
                let unread = echo.echoStream(EchoStreamRequest(count: 1)).makeAsyncIterator()
                _ = try await unread.next()
                #expect(try await quiet.next()?.index == 1)
                let error = try await errorOf { while try await unread.next() != nil {} }
                #expect(error?.code == .aborted)
                #expect(
                    error?.message == "the stream was not read for 0.05 seconds; begin again from what was read last")
            }
        }
    }

    @Test("cancel their handler when the reader leaves")
    func readerLeaves() async throws {
        let ended = Tally()
        let service = ScriptedEcho(stream: { _, responses, _ in
            defer { ended.add() }
            while true { try await responses.write(EchoStreamResponse(payload: [1])) }
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                var count = 0
                for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) {
                    count += 1
                    if count == 3 { break }
                }
                try await ended.wait()
                _ = try await EchoServiceClient(client).echo(EchoRequest())
                #expect(server.server.callsInFlight == 0)
            }
        }
    }

    @Test("cancel their handler when the reading task is cancelled while it waits")
    func readerCancelled() async throws {
        let (started, cancelled) = (Tally(), Tally())
        let service = ScriptedEcho(stream: { _, responses, _ in
            try await responses.write(EchoStreamResponse())
            started.add()
            try await cancelled.addWhenCancelled()
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let reading = Task {
                    try await errorOf {
                        for try await _ in EchoServiceClient(client).echoStream(EchoStreamRequest()) {}
                    }
                }
                try await started.wait()
                reading.cancel()
                #expect(try await reading.value?.code == .cancelled)
                try await cancelled.wait()
            }
        }
    }

    @Test("that are never read are never called")
    func neverRead() async throws {
        let called = Tally()
        let service = ScriptedEcho(stream: { _, _, _ in called.add() })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                _ = EchoServiceClient(client).echoStream(EchoStreamRequest())
                _ = try await EchoServiceClient(client).echo(EchoRequest())
                #expect(called.count == 0)
            }
        }
    }

    @Test("need no deadline, and keep one that is given")
    func deadlines() async throws {
        let cancelled = Tally()
        let seen = Mutex<[Bool]>([])
        let service = ScriptedEcho(stream: { request, _, context in
            seen.withLock { $0.append(context.deadline != nil) }
            if request.count == 1 { try await cancelled.addWhenCancelled() }
        })
        try await TestServer.with(.echo(service)) { server in
            try await server.withClient { client in
                let echo = EchoServiceClient(client)
                for try await _ in echo.echoStream(EchoStreamRequest()) {}
                // On a busy machine the time may be over before the server comes to it: then once more.
                while seen.withLock({ $0.count }) < 2 {
                    let error = try await errorOf {
                        let options = CallOptions(timeout: .milliseconds(30))
                        for try await _ in echo.echoStream(EchoStreamRequest(count: 1), options) {}
                    }
                    #expect(error?.code == .deadlineExceeded)
                }
                try await cancelled.wait()
                #expect(seen.withLock { $0 } == [false, true])
            }
        }
    }
}
