import Budgets
import EventLoops
import TestSupport
import Testing

@testable import HTTP

/// What a peer may do to make us work or keep memory for nothing. Each is ended, an honest client is answered
/// meanwhile, and nothing is held behind it.
@Suite("P37 attacks by HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2AttackTests {
    private static let endless = ScriptedResponder { request in
        if request.path == "/slow" { try? await Tally().wait() }
        return HTTPResponse(200, text: String(repeating: "x", count: request.path == "/large" ? 100_000 : 10))
    }

    private enum Attack: String, CaseIterable, Sendable {
        case rapidReset, madeReset, pings, settings, emptyData, priorities, dribble

        /// The bytes of the n-th step.
        func bytes(_ number: Int) -> [UInt8] {
            typealias Client = HTTP2Client
            let stream = UInt32(2 * number + 1)
            switch self {
            case .rapidReset:
                return Client.frame(.headers, flags: 5, stream: stream, payload: Client.head("GET", "/slow"))
                    + Client.frame(.reset, stream: stream, payload: Client.bytes(8))
            case .madeReset:
                // A window that is opened too far is an error of the stream.
                return Client.frame(.headers, flags: 5, stream: stream, payload: Client.head("GET", "/slow"))
                    + Client.frame(.windowUpdate, stream: stream, payload: Client.bytes(0x7fff_ffff))
            case .pings: return Client.frame(.ping, payload: Client.bytes(1) + Client.bytes(2))
            case .settings: return Client.frame(.settings)
            case .emptyData:
                let head =
                    number == 0
                    ? Client.frame(.headers, flags: 4, stream: 1, payload: Client.head("POST", "/")) : []
                return head + Client.frame(.data, stream: 1)
            case .priorities: return Client.frame(.priority, stream: stream, payload: Client.bytes(0) + [1])
            case .dribble:
                let head =
                    number == 0
                    ? Client.frame(.settings, payload: [0, 4] + Client.bytes(1))
                        + Client.frame(.headers, flags: 5, stream: 1, payload: Client.head("GET", "/large")) : []
                return head + Client.frame(.windowUpdate, stream: 1, payload: Client.bytes(1))
            }
        }
    }

    @Test("of many cheap frames are told to be calm", arguments: Attack.allCases)
    private func floods(_ attack: Attack) async throws {
        try await RunningHTTP.with(Self.endless) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            let honest = try await HTTP2Client(connectingTo: http.port, client: 2)
            client.reads = false
            async let end = client.end()
            var number = 0
            // More than any of them may send, and bounded: a server that bears them all fails the test.
            while number < 20_000 {
                let bytes = (number..<number + 100).flatMap { attack.bytes($0) }
                guard (try? await client.socket.sendPatiently(bytes)) == true else { break }
                number += 100
            }
            let last = try await end
            #expect(last?.code == HTTP2Client.calm, "\(attack) \(number) \(String(describing: last))")
            #expect(number < 20_000)
            #expect(try await honest.answer(honest.ask("GET", "/")).status == "200")
            #expect(await http.isEmptySoon(but: 1))
        }
    }

    @Test("of heads without an end are ended")
    func continuations() async throws {
        try await RunningHTTP.with(Self.endless) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            async let end = client.end()
            try await client.send(HTTP2Client.frame(.headers, flags: 1, stream: 1, payload: HTTP2Client.head()))
            for _ in 0..<1000 {
                let piece = HTTP2Client.frame(.continuation, stream: 1)
                guard (try? await client.socket.sendPatiently(piece)) == true else { break }
            }
            #expect(try await end != nil)
            #expect(await http.isEmptySoon())
        }
    }

    @Test("by small heads that unpack to large ones are refused, and hold nothing")
    func bombs() async throws {
        try await RunningHTTP.with(Self.endless, memory: 64 << 20) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            // A field of 4,000 bytes in the table (RFC 7541, 6.2.1), and then a byte for each time it is named again.
            let value = [UInt8](repeating: UInt8(ascii: "v"), count: 3900)
            let field = [0x40, 6] + Array("cookie".utf8) + [0x7f] + [0xbd, 0x1d] + value
            let block = HTTP2Client.head() + field + [UInt8](repeating: 0xbe, count: 12_000)
            for _ in 0..<50 {
                let answer = try await client.answer(client.ask(block))
                #expect(answer.status == "431" || answer.reset != nil)
            }
            #expect(await http.isEmptySoon(but: 1))
        }
    }

    @Test("by streams that never end are ended by time, and count against their client's memory")
    func neverEnded() async throws {
        try await RunningHTTP.with(.echoing, limits: { $0.patience = .seconds(3) }) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            var streams: [UInt32] = []
            let heads = (0..<100).map { _ in
                streams.append(client.next())
                return HTTP2Client.frame(
                    .headers, flags: 4, stream: streams.last ?? 0, payload: HTTP2Client.head("POST"))
            }
            try await client.send(heads.flatMap { $0 })
            for stream in streams { #expect(try await client.answer(stream).reset == 8) }
            #expect(await http.isEmptySoon(but: 1))
        }
    }

    @Test("by answers that are not read are ended by time")
    func unread() async throws {
        try await RunningHTTP.with(Self.endless, limits: { $0.patience = .seconds(3) }) { http in
            let client = try await HTTP2Client(connectingTo: http.port, window: 0)
            let stream = try await client.ask("GET", "/large")
            #expect(try await client.answer(stream).reset == 8)
        }
    }

    @Test("by those who read nothing and send on are ended, whatever they send", arguments: [false, true])
    func unreadAndSending(isHeads: Bool) async throws {
        try await RunningHTTP.with(Self.endless, limits: { $0.patience = .seconds(3) }) { http in
            let client = try await HTTP2Client(
                connectingTo: http.port, window: 0x7fff_ffff, receiveBytes: 4096)
            for _ in 0..<100 { try await client.ask("GET", "/large") }
            var number = 0
            // Bounded: a server that bears it fails the test.
            while number < 2_000_000 {
                let frames = (0..<1000).flatMap { step in
                    isHeads
                        ? HTTP2Client.frame(.headers, flags: 5, stream: UInt32(2 * (number + step) + 1001))
                        : step == 0
                            ? HTTP2Client.frame(.ping, payload: HTTP2Client.bytes(1) + HTTP2Client.bytes(2)) : []
                }
                guard (try? await client.socket.sendPatiently(frames)) == true else { break }
                number += isHeads ? 1000 : 1
            }
            #expect(number < 2_000_000)
            #expect(await http.isEmptySoon())
        }
    }

    @Test("by more requests at once than are allowed are refused one by one")
    func tooMany() async throws {
        let asked = Tally()
        let responder = ScriptedResponder { _ in
            try? await asked.wait()
            return HTTPResponse(200)
        }
        try await RunningHTTP.with(responder) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            var streams: [UInt32] = []
            for _ in 0..<200 { streams.append(try await client.ask("GET", "/")) }
            let allowed = Int(HTTP2Settings.streams)
            for stream in streams[allowed...] { #expect(try await client.answer(stream).reset == 7) }
            asked.add()
            for stream in streams[..<allowed] { #expect(try await client.answer(stream).status == "200") }
        }
    }

    @Test("are not what clients do who open their windows for each answer, and leave calls alone that last too long")
    func honest() async throws {
        try await RunningHTTP.with(Self.endless) { http in
            let client = try await HTTP2Client(connectingTo: http.port)
            for _ in 0..<2000 {
                let stream = try await client.ask("GET", "/")
                try await client.send(HTTP2Client.frame(.ping, payload: HTTP2Client.bytes(1) + HTTP2Client.bytes(2)))
                #expect(try await client.answer(stream).status == "200")
            }
            for _ in 0..<100 {
                let stream = try await client.ask("GET", "/slow")
                try await client.send(HTTP2Client.frame(.reset, stream: stream, payload: HTTP2Client.bytes(8)))
            }
            #expect(try await client.answer(client.ask("GET", "/")).status == "200")
        }
    }
}
