import Contracts
import FoundationEssentials
import RPC
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite("P37 watches as events, all of a client in one stream", .timeLimit(.minutes(3)))
struct EventStreamTests {
    static let pins = "watch=waymark.pins.v1.PinService/WatchPins"
    static let pin = "watch=waymark.pins.v1.PinService/WatchPin:%7B%22id%22:%22x%22%7D"
    static let quick = EventPace(heartbeat: .seconds(60), pauses: .milliseconds(1) ... .milliseconds(20))

    /// Tells each version from where the watch begins up to `last`, then waits for ever.
    static func telling(upTo last: UInt64) -> FakeBackends {
        var backends = FakeBackends()
        backends.watchPins = { request, responses, _ in
            for version in (request.fromVersion + 1)..<(last + 1) {
                try await responses.write(WatchPinsResponse(pins: [Pin(id: "\(version)")], version: version))
            }
            try await Tally().wait()
        }
        backends.watchPin = { request, responses, _ in
            for version in (request.fromVersion + 1)..<(last + 1) {
                try await responses.write(WatchPinResponse(pin: Pin(id: request.id), version: version))
            }
            try await Tally().wait()
        }
        return backends
    }

    @Test("each event says of which watch it is, and brings the answer as JSON")
    func several() async throws {
        try await RunningGateway.with(Self.telling(upTo: 3)) { gateway in
            let events = try await EventReader.open(
                gateway.http, "/events?\(Self.pins)&\(Self.pin)&\(Self.pins):%7B%7D")
            #expect(events.head["content-type"] == "text/event-stream" && events.head["cache-control"] == "no-store")
            var seen: [[String]] = [[], [], []]
            for _ in 0..<9 {
                let event = try await events.next()
                seen[event.data.watch].append(event.text)
            }
            #expect(seen[0] == (1...3).map { #"{"watch":0,"message":{"pins":[{"id":"\#($0)"}],"version":"\#($0)"}}"# })
            #expect(seen[1] == (1...3).map { #"{"watch":1,"message":{"pin":{"id":"x"},"version":"\#($0)"}}"# })
            #expect(seen[2].count == 3)
        }
    }

    @Test(
        "a reader that comes back with the id of its last event misses nothing, whenever it was cut off",
        arguments: 1..<16)
    func resumed(events count: Int) async throws {
        let last: UInt64 = 12
        try await RunningGateway.with(Self.telling(upTo: last)) { gateway in
            var seen: [Set<UInt64>] = [[], []]
            var id: String?
            while seen[0].count < last || seen[1].count < last {
                let fields = id.map { [("Last-Event-ID", $0)] } ?? []
                let events = try await EventReader.open(gateway.http, "/events?\(Self.pins)&\(Self.pin)", fields)
                for _ in 0..<count where seen[0].count < last || seen[1].count < last {
                    let event = try await events.next()
                    let version = try #require(event.data.message?.version.flatMap { UInt64($0) })
                    // What has been told is never behind what comes: no gap is left open.
                    let before = seen[event.data.watch].max() ?? 0
                    #expect(version <= before + 1)
                    seen[event.data.watch].insert(version)
                    id = event.id
                }
            }
        }
    }

    @Test("an id of other watches, or no id at all, begins anew", arguments: ["1", "1.2.3", "x.y", "-1.2", "", "1..2"])
    func otherID(id: String) async throws {
        try await RunningGateway.with(Self.telling(upTo: 2)) { gateway in
            let events = try await EventReader.open(
                gateway.http, "/events?\(Self.pins)&\(Self.pin)", [("Last-Event-ID", id)])
            for _ in 0..<4 { #expect(["1", "2"].contains(try await events.next().data.message?.version)) }
        }
    }

    @Test("a watch whose service stops, fails for a while or breaks off is begun again from where it was")
    func begunAgain() async throws {
        let codes: [RPCCode] = [.unavailable, .resourceExhausted, .deadlineExceeded, .aborted, .cancelled, .unknown]
        let tries = Mutex<[UInt64]>([])
        var backends = FakeBackends()
        backends.watchPins = { request, responses, _ in
            let number = tries.withLock { tries in
                tries.append(request.fromVersion)
                return tries.count - 1
            }
            try await responses.write(WatchPinsResponse(version: request.fromVersion + 1))
            guard number < codes.count else { return try await Tally().wait() }
            throw RPCError(codes[number], "for a while")
        }
        try await RunningGateway.with(backends, pace: Self.quick) { gateway in
            let events = try await EventReader.open(gateway.http, "/events?\(Self.pins)")
            for version in 1...codes.count + 1 {
                #expect(try await events.next().data.message?.version == "\(version)")
            }
            #expect(tries.withLock { $0 } == (0...UInt64(codes.count)).map { $0 })
        }
    }

    @Test("a service that is killed in their midst and comes back costs nothing but time")
    func backendDies() async throws {
        let backends = Self.telling(upTo: 5)
        let first = try await TestServer(backends.pinsRouter, host: TestServer.quietHost)
        try await RunningGateway.with(elsewhere: ["pins": first.endpoint], pace: Self.quick) { gateway in
            let events = try await EventReader.open(gateway.http, "/events?\(Self.pins)&\(Self.pin)")
            for _ in 0..<10 { _ = try await events.next() }
            await first.stop()
            let more = Self.telling(upTo: 8).pinsRouter
            try await TestServer.with(more, host: TestServer.quietHost, port: first.port) { _ in
                var seen: [[String]] = [[], []]
                for _ in 0..<6 {
                    let event = try await events.next()
                    seen[event.data.watch].append(event.data.message?.version ?? "")
                }
                #expect(seen == [["6", "7", "8"], ["6", "7", "8"]])
            }
        }
    }

    @Test("a watch that ends, or that can't be, says so, and the others go on")
    func ends() async throws {
        var backends = Self.telling(upTo: 1)
        backends.watchPin = { request, responses, _ in
            if request.id == "none" { throw RPCError(.notFound, "there is no pin none") }
            try await responses.write(WatchPinResponse(deleted: true, version: 9))
        }
        try await RunningGateway.with(backends, pace: Self.quick) { gateway in
            let none = "watch=waymark.pins.v1.PinService/WatchPin:%7B%22id%22:%22none%22%7D"
            let events = try await EventReader.open(gateway.http, "/events?\(Self.pin)&\(none)&\(Self.pins)")
            var seen: [[EventReader.Event]] = [[], [], []]
            for _ in 0..<4 {
                let event = try await events.next()
                seen[event.data.watch].append(event)
            }
            #expect(seen[0].first?.data.message?.deleted == true && seen[0].last?.data.end == true)
            #expect(seen[1].first?.data.error?.code == "not_found" && seen[1].first?.id == nil)
            #expect(seen[2].first?.data.message?.version == "1")
        }
    }

    @Test(
        "what can't be watched is refused, and said which it is",
        arguments: [
            ("", "watch"), ("other=1", "watch"), ("watch=", "watch[0]"), ("watch=nonsense", "watch[0]"),
            ("\(pins)&watch=waymark.pins.v1.PinService/GetPin", "watch[1]"),
            ("watch=waymark.rpc.v1.EchoService/EchoStream", "watch[0]"),
            ("watch=waymark.pins.v1.PinService/Nothing", "watch[0]"), ("\(pins):nonsense", nil), ("\(pins):[]", nil),
            ("\(pins):%7B%22nothing%22:1%7D", nil),
            (Array(repeating: pins, count: 33).joined(separator: "&"), "watch"),
        ] as [(String, String?)])
    func refused(query: String, field: String?) async throws {
        try await RunningGateway.with { gateway in
            let reply = try await gateway.http.ask("GET", "/events?\(query)")
            #expect(reply.status == 400 && reply.failure?.code == "invalid_argument", "\(reply.text)")
            if let field { #expect(reply.failure?.debug?.fieldViolations?.first?.field == field) }
        }
    }

    @Test("32 watches go, other methods of HTTP do not, nor does who is not let in")
    func limits() async throws {
        try await RunningGateway.with(Self.telling(upTo: 1)) { gateway in
            let all = Array(repeating: Self.pins, count: 32).joined(separator: "&")
            let events = try await EventReader.open(gateway.http, "/events?\(all)")
            var seen: Set<Int> = []
            for _ in 0..<32 { seen.insert(try await events.next().data.watch) }
            #expect(seen.count == 32)
            let reply = try await gateway.http.ask("POST", "/events?\(Self.pins)")
            #expect(reply.status == 405 && reply["allow"] == "GET")
        }
        try await RunningGateway.with(isOpen: false) { gateway throws in
            #expect(try await gateway.http.ask("GET", "/events?\(Self.pins)").status == 401)
        }
    }

    @Test("a quiet stream shows that it lives")
    func heartbeat() async throws {
        let pace = EventPace(heartbeat: .milliseconds(10), pauses: EventPace().pauses)
        try await RunningGateway.with(Self.telling(upTo: 0), pace: pace) { gateway in
            let events = try await EventReader.open(gateway.http, "/events?\(Self.pins)")
            for _ in 0..<3 { try await events.comment() }
        }
    }

    @Test("when the reader leaves, the watches behind the gateway end")
    func readerLeaves() async throws {
        let (began, ended) = (Tally(), Tally())
        var backends = FakeBackends()
        backends.watchPins = { _, _, _ in
            began.add()
            try await ended.addWhenCancelled()
        }
        try await RunningGateway.with(backends) { gateway in
            var events: EventReader? = try await EventReader.open(gateway.http, "/events?\(Self.pins)&\(Self.pins)")
            try await began.wait(for: 2)
            #expect(events?.head.status == 200)
            events = nil
            try await ended.wait(for: 2)
        }
    }

    @Test("when the gateway stops, the stream ends at once, and a request that comes then is answered or not at all")
    func stops() async throws {
        try await RunningGateway.with(Self.telling(upTo: 1)) { gateway in
            let events = try await EventReader.open(gateway.http, "/events?\(Self.pins)")
            _ = try await events.next()
            let http = gateway.http
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        while let reply = try? await http.call(GatewayHTTP.echo, #"{"payload":"AQ=="}"#) {
                            #expect(reply.text == #"{"payload":"AQ=="}"#)
                        }
                    }
                }
                group.addTask { await http.door.close(grace: .seconds(60)) }
                try await group.waitForAll()
            }
            await #expect(throws: (any Error).self) { while true { _ = try await events.next() } }
        }
    }
}
