import Contracts
import HTTP
import RPC
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite("P37 P35 deadlines over HTTP", .timeLimit(.minutes(3)))
struct CallTimeoutTests {
    @Test(
        "a time that is none is refused",
        arguments: ["0", "-1", "1.5", "abc", "", "10000000000", "99999999999999999999", "+1", "1 "])
    func bad(text: String) async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.call(GatewayHTTP.echo, "{}", [("Connect-Timeout-Ms", text)])
            // Blanks around a field's value are none of it.
            if text == "1 " { return #expect(reply.status == 200 || reply.status == 504) }
            #expect(reply.status == 400, "\(reply.text)")
            #expect(reply.failure?.debug?.fieldViolations?.first?.field == "connect-timeout-ms")
        }
    }

    @Test("D6 two times are refused, of calls and of streams, by a sentence that says what is allowed")
    func two() async throws {
        try await RunningGateway.with { gateway in
            let fields = [("Connect-Timeout-Ms", "5000"), ("Connect-Timeout-Ms", "null")]
            let sentence = #""5000, null" is not allowed; milliseconds from 1 to 9999999999 are"#
            let call = try await gateway.http.call(GatewayHTTP.echo, "{}", fields)
            #expect(call.status == 400 && call.failure?.message == "connect-timeout-ms: \(sentence)")
            let type = [("Content-Type", "application/connect+json")]
            let body = ConnectEnvelope.wrap(Array("{}".utf8), flags: 0)
            let stream = try await gateway.http.ask("POST", GatewayHTTP.echoStream, type + fields, body: body)
            #expect(stream.status == 200 && stream.text.contains("5000, null"), "\(stream.text)")
            let old = [("Connect-Protocol-Version", "2")]
            let other = try await gateway.http.ask("POST", GatewayHTTP.echoStream, type + old, body: body)
            #expect(other.text.contains("connect-protocol-version"), "\(other.text)")
        }
    }

    @Test("the time that is left goes on to the service behind; without one it is half a minute")
    func passedOn() async throws {
        let seen = Seen()
        var backends = FakeBackends()
        backends.nearby = { _, context in
            seen.add(context.remaining)
            return NearbyResponse()
        }
        try await RunningGateway.with(backends) { gateway throws in
            let path = "/waymark.places.v1.PlacesService/Nearby"
            #expect(try await gateway.http.call(path, "{}", [("Connect-Timeout-Ms", "20000")]).status == 200)
            #expect(try await gateway.http.call(path, "{}").status == 200)
            #expect(try await gateway.http.call(path, "{}", [("Connect-Timeout-Ms", "9999999999")]).status == 200)
            let times = seen.all
            #expect(times[0] <= .seconds(20) && times[0] > .seconds(5))
            #expect(times[1] <= .seconds(30) && times[1] > .seconds(15))
            #expect(times[2] > .seconds(20))
        }
    }

    @Test("no unary call takes longer than it may, whatever its caller says; a stream may have no end")
    func limits() throws {
        let methods = EchoServiceMethods.self
        for (text, unary, stream) in [
            (nil, 30, nil), ("5000", 5, 5), ("9999999", 600, 10_000),
        ] as [(String?, Int, Int?)] {
            let headers: HTTPFields = text.map { [("Connect-Timeout-Ms", $0)] } ?? []
            let timeout = try CallTimeout(HTTPRequest(method: "POST", path: "/", headers: headers))
            #expect(timeout.limit(methods.echo, at: .seconds(600)) == .seconds(unary))
            let longest = timeout.limit(methods.echoStream, at: .seconds(600))
            #expect(longest.map { $0 / .seconds(1) }.map { Int($0.rounded()) } == stream)
        }
        #expect(CallTimeout.none.limit(methods.echo, at: .seconds(10)) == .seconds(10))
    }

    @Test("a call that is late is ended by then, in the gateway and behind it")
    func late() async throws {
        let (began, cancelled) = (Tally(), Tally())
        var backends = FakeBackends()
        backends.nearby = { _, _ in
            began.add()
            try await cancelled.addWhenCancelled()
        }
        try await RunningGateway.with(backends) { gateway in
            let timeout = [("Connect-Timeout-Ms", "100")]
            let echo = try await gateway.http.call(GatewayHTTP.echo, #"{"delay":"5s"}"#, timeout)
            #expect(echo.status == 504 && echo.failure?.code == "deadline_exceeded", "\(echo.text)")
            // On a busy machine the time may be over before the call is sent on.
            repeat {
                let reply = try await gateway.http.call("/waymark.places.v1.PlacesService/Nearby", "{}", timeout)
                #expect(reply.status == 504 && reply.failure?.code == "deadline_exceeded", "\(reply.text)")
            } while began.count == 0
            try await cancelled.wait()
        }
    }
}

/// Notes durations, in their order.
private final class Seen: Sendable {
    private let durations = Mutex<[Duration]>([])

    var all: [Duration] { durations.withLock { $0 } }

    func add(_ duration: Duration?) { durations.withLock { $0.append(duration ?? .zero) } }
}
