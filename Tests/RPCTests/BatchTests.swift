import BaseContracts
import EventLoops
import Glibc
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite("Calls that come together", .timeLimit(.minutes(3)))
struct BatchTests {
    @Test("are answered while the last of them still run: no side waits for the other's whole batch")
    func early() async throws {
        let count = UInt8(40)
        let (firstIsRead, writeEnd) = try makePipe()
        defer { for end in [firstIsRead, writeEnd] { close(end) } }
        let service = ScriptedEcho(unary: { request, _ in
            // The last one keeps the loop's thread until the first answer has arrived.
            guard request.payload == [count] else { return EchoResponse(payload: request.payload) }
            var awaited = pollfd(fd: firstIsRead, events: Int16(POLLIN), revents: 0)
            return EchoResponse(payload: unsafe poll(&awaited, 1, 20_000) == 1 ? [] : request.payload)
        })
        try await TestServer.with(.echo(service)) { server in
            let socket = try await RawSocket(connectingTo: server.port)
            let calls = (1...count).map { number in
                WireFrame.call(UInt32(number), EchoServiceMethods.echo, EchoRequest(payload: [number]))
            }
            try await socket.send(([.hello] + calls).flatMap(\.bytes))
            _ = try await socket.receive(.message)
            #expect(unsafe write(writeEnd, "1", 1) == 1)
            var last: WireFrame?
            while last?.header.callID != UInt32(count) { last = try await socket.receive(.message) }
            let answer = try EchoResponse(packed: #require(last).payload)
            #expect(answer.payload.isEmpty, "the first answer came when all had run")
        }
    }
}
