import Contracts
import RPC
import Synchronization
import Testing

@testable import Waymark

@Suite("P10 P39 waymark pin watch", .timeLimit(.minutes(3)))
struct PinWatchCommandTests {
    private let gateway = TestGateway()

    private func message(_ version: UInt64, _ pin: Pin, _ places: PinPlace...) -> WatchPinResponse {
        WatchPinResponse(pin: pin, places: places, version: version)
    }

    private var messages: [WatchPinResponse] {
        [
            message(3, Sample.pin(.new)),
            message(8, Sample.pin(.partial, places: 2), Sample.place(1), Sample.place(2)),
            message(9, Sample.pin(.ready, places: 2, album: Sample.summary(.downloading, 1, of: 2))),
            message(11, Sample.pin(.ready, places: 2, album: Sample.summary(.complete, 2, of: 2))),
        ]
    }

    private func play(_ scripts: FakePins.Script...) { gateway.pins.state.withLock { $0.scripts = scripts } }

    private let lines = [
        "Square: new: 0 places; 0 with photos; 0 photos", "Square: partial: 2 places; 0 with photos; 0 photos",
        "Square: ready: 2 places; 0 with photos; 0 photos; album downloading, 1 of 2 pictures",
        "Square: ready: 2 places; 0 with photos; 0 photos; album complete, 2 of 2 pictures",
    ]

    @Test("is a line a change where nothing can be redrawn, and ends when pin and album have ended")
    func plain() async throws {
        play(.init(messages: messages + messages))
        try await gateway.run { run in
            let (code, screen) = await run("pin", "watch", Sample.pinID)
            #expect(code == .success)
            #expect(screen.lines == lines)
        }
        #expect(gateway.pins.state.withLock { $0.watched } == [WatchPinRequest(id: Sample.pinID)])
    }

    @Test("goes on from the version it has read when the stream breaks or ends")
    func reconnects() async throws {
        play(
            .init(messages: Array(messages[0...1]), error: RPCError(.unavailable, "gone")),
            .init(messages: [messages[2]]), .init(messages: [messages[3]]))
        try await gateway.run { run in
            let (code, screen) = await run("pin", "watch", Sample.pinID)
            #expect(code == .success)
            #expect(screen.lines == lines)
            #expect(
                screen.messages == String(repeating: "The connection is lost; trying again.\n", count: 2))
        }
        #expect(gateway.pins.state.withLock { $0.watched.map(\.fromVersion) } == [0, 8, 9])
    }

    @Test("gives programs every message as JSON")
    func json() async throws {
        play(.init(messages: messages))
        try await gateway.run { run in
            let (_, screen) = await run("pin", "watch", Sample.pinID, "--json")
            #expect(screen.lines.count == 4)
            #expect(screen.lines.allSatisfy { $0.hasPrefix(#"{"pin":{"#) })
            #expect(screen.lines.last?.hasSuffix(#""version":"11"}"#) == true)
        }
    }

    @Test("is redrawn in place on a terminal")
    func terminal() async throws {
        play(.init(messages: messages))
        try await gateway.run { run in
            let (_, screen) = await run("pin", "watch", Sample.pinID, isTerminal: true, width: 60)
            #expect(screen.output.hasPrefix("\r\u{1B}[31m● \u{1B}[0m"))
            // Six lines of the pin, then with places two more and an empty one.
            #expect(screen.output.ranges(of: "\u{1B}[6A").count == 1)
            #expect(screen.output.ranges(of: "\u{1B}[9A").count == 2)
            #expect(screen.messages.isEmpty)
        }
    }

    @Test("a pin that failed, or was removed meanwhile, is no success")
    func failed() async throws {
        try await gateway.run { run in
            play(.init(messages: [message(4, Sample.pin(.failed))]))
            #expect(await run("pin", "watch", Sample.pinID).code == .failure)
            play(.init(messages: [messages[0], WatchPinResponse(deleted: true, version: 5)]))
            let (code, screen) = await run("pin", "watch", Sample.pinID, "--follow")
            #expect(code == .failure)
            #expect(screen.lines.last == "\(Sample.pinID): the pin was removed")
        }
    }

    @Test("an error of the service is told like any other")
    func refused() async throws {
        play(.init(error: RPCError(.notFound, "no pin")))
        try await gateway.run { run in
            let (code, screen) = await run("pin", "watch", Sample.pinID)
            #expect(code.rawValue == 15)
            #expect(screen.messages == "waymark: NOT_FOUND: no pin\n")
        }
    }

    @Test("pin add --watch shows the pin on a terminal even if it can't be watched")
    func addUnwatched() async throws {
        play(.init(error: RPCError(.unimplemented, "not yet")))
        try await gateway.run { run in
            let (code, screen) = await run("pin", "add", "60.17", "24.94", "--watch", isTerminal: true, width: 80)
            #expect(code.rawValue == 22)
            #expect(screen.output.contains(Sample.pinID))
        }
    }

    @Test("a broken connection is told above the view, until it is back")
    func brokenOnTerminal() async throws {
        play(.init(messages: [messages[0]], error: RPCError(.unavailable, "gone")), .init(messages: [messages[3]]))
        try await gateway.run { run in
            let (_, screen) = await run("pin", "watch", Sample.pinID, isTerminal: true, width: 20)
            #expect(screen.output.contains("\u{1B}[6A\r\u{1B}[33mThe connection is l…\u{1B}[0m\u{1B}[K\n"))
            #expect(screen.output.ranges(of: "\u{1B}[8A").count == 1)
        }
    }

    @Test("pin add --watch shows the pin, then what happens to it")
    func add() async throws {
        play(.init(messages: messages))
        try await gateway.run { run in
            let (code, screen) = await run("pin", "add", "60.17", "24.94", "--name", "Square", "--watch")
            #expect(code == .success)
            #expect(screen.lines.first?.hasPrefix("NAME") == true)
            #expect(screen.lines.dropFirst(2) == lines[...])
        }
        #expect(gateway.pins.state.withLock { $0.watched } == [WatchPinRequest(id: Sample.pinID)])
    }
}
