import BaseContracts
import RPC
import TestSupport
import Testing
import Wire

@Suite("Peers that take more than their share", .timeLimit(.minutes(3)))
struct MemoryBoundTests {
    @Test("a reader with endless credit that does not read: the server stops writing at its own limit")
    func endlessCredit() async throws {
        var limits = Limits()
        limits.queuedBytes = 1 << 20
        let written = Tally()
        let service = ScriptedEcho(stream: { request, responses, _ in
            for _ in 0..<request.count {
                try await responses.write(EchoStreamResponse(payload: request.payload))
                written.add()
            }
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 64 << 10)
            let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 64 << 10), count: 2000)
            try await socket.send(.hello, .call(1, EchoServiceMethods.echoStream, request, credit: .max))
            try await written.wait(for: 1)
            try await server.withClient { client in
                // Each round trip is a turn of the server's only loop: a writer that nothing holds up would be done.
                for _ in 0..<200 { _ = try await EchoServiceClient(client).echo(EchoRequest()) }
            }
            // Its limit, what the kernel keeps for the socket (at most 6 MiB here), and one message.
            #expect(written.count * (64 << 10) < 12 << 20, "\(written.count) messages of 64 KiB were written")
            var received = 0
            while received < 2000 {
                let frame = try await socket.receive()
                if frame.header.kind == .message { received += 1 }
            }
            #expect(try await socket.receive().header.kind == .status)
        }
    }

    @Test("a caller that does not read its answers: the server stops reading its calls")
    func unreadAnswers() async throws {
        var limits = Limits()
        limits.queuedBytes = 1 << 20
        let answered = Tally()
        let service = ScriptedEcho(unary: { request, _ in
            answered.add()
            return EchoResponse(payload: request.payload)
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 64 << 10)
            try await socket.send(.hello)
            let request = EchoRequest(payload: [UInt8](repeating: 1, count: 64 << 10))
            let sending = Task {
                for id in 1...1000 { try await socket.send(.call(UInt32(id), EchoServiceMethods.echo, request)) }
            }
            try await answered.wait(for: 10)
            try await server.withClient { client in
                for _ in 0..<200 { _ = try await EchoServiceClient(client).echo(EchoRequest()) }
            }
            #expect(answered.count - 200 < 300, "\(answered.count) answers of 64 KiB were made")
            for _ in 0..<1001 { _ = try await socket.receive() }
            try await sending.value
            #expect(answered.count == 1200)
        }
    }

    @Test("a caller that does not read long answers to short calls: the server begins no more of them")
    func longAnswers() async throws {
        var limits = Limits()
        limits.queuedBytes = 1 << 20
        let answered = Tally()
        let service = ScriptedEcho(unary: { _, _ in
            answered.add()
            return EchoResponse(payload: [UInt8](repeating: 1, count: 64 << 10))
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 64 << 10)
            // All of them come in one read or two.
            let calls = (1...1000).map { WireFrame.call(UInt32($0), EchoServiceMethods.echo, EchoRequest()) }
            try await socket.send(([.hello] + calls).flatMap(\.bytes))
            try await answered.wait(for: 4)
            try await server.withClient { client in
                for _ in 0..<200 { _ = try await EchoServiceClient(client).echo(EchoRequest()) }
            }
            // A quarter of its limit, what the kernel keeps for the socket (at most 6 MiB here), and one answer.
            #expect((answered.count - 200) * (64 << 10) < 8 << 20, "\(answered.count) answers of 64 KiB were made")
            for _ in 0..<1001 { _ = try await socket.receive() }
            #expect(answered.count == 1200)
        }
    }

    @Test("a reader with endless credit that does not read is still heard when it cancels")
    func heardWhileFull() async throws {
        var limits = Limits()
        limits.queuedBytes = 1 << 20
        let (written, ended) = (Tally(), Tally())
        let service = ScriptedEcho(stream: { request, responses, _ in
            defer { ended.add() }
            while true {
                try await responses.write(EchoStreamResponse(payload: request.payload))
                written.add()
            }
        })
        try await TestServer.with(.echo(service), limits: limits) { server in
            let socket = try await RawSocket(connectingTo: server.port, receiveBytes: 64 << 10)
            let request = EchoStreamRequest(payload: [UInt8](repeating: 1, count: 64 << 10))
            try await socket.send(
                .hello, .call(1, EchoServiceMethods.echoStream, request, timeoutUs: nil, credit: .max))
            try await written.wait(for: 1)
            try await server.withClient { client in
                for _ in 0..<200 { _ = try await EchoServiceClient(client).echo(EchoRequest()) }
            }
            try await socket.send(WireFrame(.cancel, call: 1))
            try await ended.wait()
        }
    }

    @Test("a server that ignores the credit: the client ends that call and nothing else")
    func ignoredCredit() async throws {
        let listener = try RawListener()
        var limits = Limits()
        limits.streamCredit = 10_000
        try await TestClient.with(listener.endpoint, limits: limits) { client in
            let reader = EchoServiceClient(client).echoStream(EchoStreamRequest()).makeAsyncIterator()
            async let first = reader.next()
            let socket = try await listener.acceptWithHello()
            let call = try await socket.receive(.call)
            let message = WireFrame(
                .message, call: call.header.callID, EchoStreamResponse(payload: [UInt8](repeating: 1, count: 1000)))
            for _ in 0..<100 { try await socket.send(message) }
            _ = try await first
            let cancel = try await socket.receive(.cancel)
            #expect(cancel.header.callID == call.header.callID)
            let error = try await errorOf { while try await reader.next() != nil {} }
            #expect(error?.code == .resourceExhausted)
            async let answer = EchoServiceClient(client).echo(EchoRequest())
            let next = try await socket.receive(.call)
            try await socket.send(WireFrame(.message, call: next.header.callID, isEnd: true, EchoResponse()))
            _ = try await answer
        }
    }
}
