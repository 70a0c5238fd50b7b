import EventLoops
import Glibc
import TestSupport
import TestTools
import Testing

@testable import HTTP

@Suite("P37 streams of HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2StreamTests {
    @Test("send what is written as it is written, and fields behind it")
    func trailers() async throws {
        let asked = Tally()
        let responder = ScriptedResponder { _ in
            HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    try await writer.write(Array("one".utf8))
                    try await asked.wait()
                    try await writer.finish(Array("two".utf8), trailers: [("X-End", "well")])
                })
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask("GET", "/")
            #expect(try await client.part(stream) { $0.body.count == 3 }.text == "one")
            asked.add()
            let answer = try await client.answer(stream)
            #expect(answer.text == "onetwo")
            #expect(answer.trailers == ["x-end": "well"])
        }
    }

    @Test("take a body as it comes, and answer it meanwhile")
    func bothWays() async throws {
        var responder = ScriptedResponder { request in
            HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    while let part = try await request.parts?.next() { try await writer.write(part.map { $0 + 1 }) }
                })
        }
        responder.takesParts = true
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask(HTTP2Client.head("POST", "/"), isEnd: false)
            for number in UInt8(0)..<50 {
                try await client.send(HTTP2Client.frame(.data, stream: stream, payload: [number]))
                let part = try await client.part(stream) { $0.body.count == Int(number) + 1 }
                #expect(part.body.last == number + 1)
            }
            try await client.send(HTTP2Client.frame(.data, flags: 1, stream: stream))
            #expect(try await client.answer(stream).body.count == 50)
            #expect(await http.isEmptySoon(but: 1))
        }
    }

    @Test("hold a sender back whose body is not read")
    func heldBack() async throws {
        let asked = Tally()
        var responder = ScriptedResponder { request in
            try? await asked.wait()
            var count = 0
            while let part = try? await request.parts?.next() { count += part.count }
            return HTTPResponse(200, text: "\(count)")
        }
        responder.takesParts = true
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask(HTTP2Client.head("POST", "/"), isEnd: false)
            // The window is as large as was said once the client has said that it knows.
            _ = try await client.receive(.settings)
            // All that it allows; one byte more would be an error.
            let window = Int(HTTP2Settings.streamWindow)
            for _ in 0..<(window >> 14) {
                let part = [UInt8](repeating: 0, count: 1 << 14)
                try await client.send(HTTP2Client.frame(.data, stream: stream, payload: part))
            }
            try await client.send(HTTP2Client.frame(.ping, payload: [UInt8](repeating: 1, count: 8)))
            let pong = try await client.receive(.ping)
            #expect(pong.isEnd)
            #expect(http.heldBytes >= window)
            asked.add()
            let update = try await client.receive(.windowUpdate)
            #expect(update.number(0) > 0)
            try await client.send(HTTP2Client.frame(.data, flags: 1, stream: stream))
            #expect(try await client.answer(stream).text == "\(window)\n")
        }
    }

    @Test("that are reset stop their work, wherever it is", arguments: [false, true])
    func cancelled(isStreamed: Bool) async throws {
        let (begun, ended) = (Tally(), Tally())
        let wait: @Sendable () async -> Void = {
            begun.add()
            try? await Tally().wait()
            ended.add()
        }
        let responder = ScriptedResponder { _ in
            if isStreamed {
                return HTTPResponse(
                    200,
                    body: .stream(count: nil) { writer in
                        try await writer.write([1])
                        await wait()
                    })
            }
            await wait()
            return HTTPResponse(200)
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask("GET", "/")
            try await begun.wait()
            try await client.send(HTTP2Client.frame(.reset, stream: stream, payload: HTTP2Client.bytes(8)))
            try await ended.wait()
            // So does a client that leaves.
            let other = try await HTTP2Client(connectingTo: http.port)
            try await other.ask("GET", "/")
            try await begun.wait(for: 2)
            other.socket.reset()
            try await ended.wait(for: 2)
            #expect(await http.isEmptySoon(but: 1))
        }
    }

    @Test("are ended by a server that stops, once they are answered, and what comes later goes elsewhere")
    func stopped() async throws {
        let (begun, asked) = (Tally(), Tally())
        let responder = ScriptedResponder { _ in
            begun.add()
            try? await asked.wait()
            return HTTPResponse(200, text: "answered")
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask("GET", "/")
            try await begun.wait()
            async let stopped: Void = http.server.shutDown(grace: .seconds(60))
            let goAway = try await client.receive(.goAway)
            #expect(goAway.number(0) == stream)
            #expect(goAway.code == 0)
            asked.add()
            #expect(try await client.answer(stream).text == "answered\n")
            _ = try await client.end()
            await stopped
        }
    }

    @Test("that were answered before their end are told that the rest is not wanted")
    func answeredEarly() async throws {
        var responder = ScriptedResponder { _ in HTTPResponse(200, text: "enough") }
        responder.takesParts = true
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask(HTTP2Client.head("POST", "/"), isEnd: false)
            #expect(try await client.answer(stream).text == "enough\n")
            let reset = try await client.receive(.reset)
            #expect(reset.stream == stream)
            #expect(reset.code == 0)
        }
    }

    @Test("of requests that are still coming do not keep a server from stopping, and may be asked for elsewhere")
    func stoppedBefore() async throws {
        try await RunningHTTP.with(.echoing) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let stream = try await client.ask(HTTP2Client.head("POST", "/"), isEnd: false)
            try await client.send(HTTP2Client.frame(.ping, payload: [UInt8](repeating: 1, count: 8)))
            _ = try await client.receive(.ping)
            await http.server.shutDown(grace: .seconds(600))
            #expect(try await client.answer(stream).reset == 7)
        }
    }

    @Test("over a file send the part that is wanted")
    func file() async throws {
        let path = TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try WholeFile.write(bytes, to: "\(path.path)/file")
        let name = "\(path.path)/file"
        let responder = ScriptedResponder { _ in
            HTTPResponse(206, body: .file(HTTPFile(owning: open(name, O_RDONLY)), offset: 1000, count: 90_000))
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let answer = try await client.answer(client.ask("GET", "/"))
            #expect(answer.head["content-length"] == "90000")
            #expect(answer.body == Array(bytes[1000..<91_000]))
        }
    }
}
