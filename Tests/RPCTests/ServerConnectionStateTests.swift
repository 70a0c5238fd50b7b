import RPC
import Testing

@Suite("Server's connection state", .timeLimit(.minutes(3)))
struct ServerConnectionStateTests {
    private typealias State = ServerConnectionState<String>

    private static func hello() -> FrameHeader { FrameHeader(.hello) }
    private static func call(_ id: UInt32) -> FrameHeader { FrameHeader(.call, callID: id, isEnd: true) }

    /// An action as text, so that tables of them can be compared.
    private func name(_ action: State.Action) -> String {
        switch action {
        case .hello: "hello"
        case .start(let id): "start \(id)"
        case .refuse(let id): "refuse \(id)"
        case .cancel(let call): "cancel \(call)"
        case .credit(let call): "credit \(call)"
        case .message(let id, let call, let isLast): "message \(id) of \(call)\(isLast ? ", the last" : "")"
        case .endOfRequests(let call): "end of \(call)"
        case .pong: "pong"
        case .ignore: "ignore"
        case .fail: "fail"
        }
    }

    private func open(_ calls: UInt32..., maximumCalls: Int = 2) -> State {
        var state = State(maximumCalls: maximumCalls)
        _ = state.received(Self.hello())
        for id in calls {
            _ = state.received(Self.call(id))
            state.opened(id, "call \(id)")
        }
        return state
    }

    @Test("takes a hello first and nothing else", arguments: FrameKind.allCases)
    func beforeHello(kind: FrameKind) {
        var state = State(maximumCalls: 2)
        #expect(name(state.received(FrameHeader(kind))) == (kind == .hello ? "hello" : "fail"))
    }

    @Test("refuses a hello that belongs to a call")
    func helloOfCall() {
        var state = State(maximumCalls: 2)
        #expect(name(state.received(FrameHeader(.hello, callID: 1))) == "fail")
    }

    @Test(
        "knows what each frame means for an open call",
        arguments: [
            (FrameKind.hello, "fail"), (.message, "fail"), (.status, "fail"), (.cancel, "cancel call 1"),
            (.ping, "pong"), (.pong, "ignore"), (.goAway, "ignore"), (.credit, "credit call 1"),
        ])
    func openCall(kind: FrameKind, expected: String) {
        var state = open(1)
        #expect(name(state.received(FrameHeader(kind, callID: 1))) == expected)
    }

    @Test("ignores late frames for a call that is over", arguments: [FrameKind.cancel, .credit, .message, .status])
    func lateFrames(kind: FrameKind) {
        var state = open(1)
        #expect(state.finish(1) == "call 1")
        #expect(name(state.received(FrameHeader(kind, callID: 1))) == "ignore")
        #expect(state.finish(1) == nil)
    }

    @Test(
        "knows what each frame means for a call that was never opened",
        arguments: [
            (FrameKind.message, "fail"), (.status, "fail"), (.cancel, "ignore"), (.credit, "ignore"),
        ])
    func unknownCall(kind: FrameKind, expected: String) {
        var state = open(1)
        #expect(name(state.received(FrameHeader(kind, callID: 99))) == expected)
    }

    /// A state with call 1, whose CALL had no END.
    private func receiving() -> State {
        var state = open()
        _ = state.received(FrameHeader(.call, callID: 1))
        state.opened(1, "call 1", isReceiving: true)
        return state
    }

    @Test("takes requests until the last one, and none behind it")
    func requestsUntilTheLast() {
        var state = receiving()
        #expect(name(state.received(FrameHeader(.message, callID: 1))) == "message 1 of call 1")
        #expect(name(state.received(FrameHeader(.message, callID: 1, isEnd: true))) == "message 1 of call 1, the last")
        #expect(name(state.received(FrameHeader(.message, callID: 1))) == "fail")
    }

    @Test("takes the end of the requests without one more, once")
    func endOfRequests() {
        var state = receiving()
        #expect(name(state.received(FrameHeader(.status, callID: 1, isEnd: true))) == "end of call 1")
        #expect(name(state.received(FrameHeader(.status, callID: 1, isEnd: true))) == "fail")
    }

    @Test("passes over requests of a call that crossed its goaway")
    func requestsWhileDraining() {
        var state = open()
        _ = state.drain()
        #expect(name(state.received(FrameHeader(.call, callID: 1))) == "ignore")
        #expect(name(state.received(FrameHeader(.message, callID: 1))) == "ignore")
    }

    @Test("starts calls with growing ids, gaps included")
    func growingIDs() {
        var state = open(maximumCalls: 10)
        #expect(name(state.received(Self.call(1))) == "start 1")
        #expect(name(state.received(Self.call(2))) == "start 2")
        #expect(name(state.received(Self.call(1000))) == "start 1000")
        #expect(name(state.received(Self.call(.max))) == "start \(UInt32.max)")
        #expect(state.lastCallID == .max)
    }

    @Test("fails on an id that does not grow, also when that call is over", arguments: [UInt32(0), 4, 5])
    func idsNotGrowing(id: UInt32) {
        var state = open(5)
        _ = state.finish(5)
        #expect(name(state.received(Self.call(id))) == "fail")
    }

    @Test("refuses calls over the limit and starts them again when there is room")
    func limit() {
        var state = open(1, 2, maximumCalls: 2)
        #expect(name(state.received(Self.call(3))) == "refuse 3")
        #expect(state.openCalls == 2)
        _ = state.finish(1)
        #expect(name(state.received(Self.call(4))) == "start 4")
    }

    @Test("drains: open calls go on, new ones are not answered, done after the last")
    func draining() {
        var state = open(1)
        let first = state.drain()
        let second = state.drain()
        #expect(first && !second)
        #expect(state.isDone == false)
        #expect(name(state.received(Self.call(2))) == "ignore")
        #expect(state.lastCallID == 1, "the goaway told that nothing after call 1 was started")
        #expect(name(state.received(FrameHeader(.ping))) == "pong")
        #expect(name(state.received(FrameHeader(.credit, callID: 1))) == "credit call 1")
        #expect(state.finish(1) == "call 1")
        #expect(state.isDone == true)
    }

    @Test("is done at once when it drains without calls, even before the hello")
    func drainEmpty() {
        var state = open()
        _ = state.drain()
        #expect(state.isDone == true)
        var fresh = State(maximumCalls: 1)
        _ = fresh.drain()
        #expect(fresh.isDone == true)
    }

    @Test("gives its open calls when it closes, once, and ignores every frame afterwards")
    func closing() {
        var state = open(1, 2)
        #expect(state.close().map(\.call).sorted() == ["call 1", "call 2"])
        #expect(state.close().isEmpty)
        #expect(state.isDone == true)
        for kind in FrameKind.allCases {
            #expect(name(state.received(FrameHeader(kind, callID: 7, isEnd: true))) == "ignore")
        }
    }
}
