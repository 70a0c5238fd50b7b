import TestSupport
import Testing

@testable import HTTP

@Suite("P37 answers that do not come at once", .timeLimit(.minutes(3)))
struct SlowAnswerTests {
    @Test("are not made any longer when their client has gone", arguments: [0, 1, 2])
    func clientLeaves(how: Int) async throws {
        let (begun, cancelled) = (Tally(), Tally())
        let responder = ScriptedResponder { _ in
            begun.add()
            try? await cancelled.addWhenCancelled()
            return HTTPResponse(499)
        }
        try await RunningHTTP.with(responder) { http in
            var client: HTTPSocket? = try await http.connect()
            try await client?.send("GET", "/")
            try await begun.wait()
            switch how {
            case 0: client = nil
            case 1: client?.socket.reset()
            // Who sends no more does not listen either, as most servers have it.
            default: client?.socket.endSending()
            }
            try await cancelled.wait()
            client = nil
            #expect(await http.isEmptySoon())
        }
    }

    @Test("are stopped when their time is over; the connection goes on")
    func late() async throws {
        let (cancelled, begun) = (Tally(), Tally())
        let responder = ScriptedResponder(timeLimit: .milliseconds(50), begun: begun) { request in
            if request.path == "/slow" { try? await cancelled.addWhenCancelled() }
            return HTTPResponse(200, text: request.path)
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await http.connect()
            for path in ["/slow", "/fast", "/slow"] {
                #expect(try await client.ask("GET", path).text == "\(path)\n")
            }
            try await cancelled.wait(for: 2)
            #expect(begun.count == 3, "each is decided on once")
        }
    }

    @Test("may become bodies that are written while they are sent, whose readers are watched too")
    func slowStream() async throws {
        let (stopped, gate) = (Tally(), Tally())
        let responder = ScriptedResponder { _ in
            try? await gate.wait()
            return HTTPResponse(
                200,
                body: .stream(count: nil) { writer in
                    defer { stopped.add() }
                    try await writer.write([1])
                    try await Tally().wait()
                })
        }
        try await RunningHTTP.with(responder, limits: { $0.unwatched = .zero }) { http in
            var client: HTTPSocket? = try await http.connect()
            try await client?.send("GET", "/")
            #expect(await http.watchesSoon())
            gate.add()
            #expect(try await client?.head().status == 200)
            #expect(try await client?.chunk() == [1])
            client = nil
            try await stopped.wait()
            #expect(await http.isEmptySoon())
        }
    }
}
