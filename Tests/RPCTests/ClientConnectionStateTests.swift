import RPC
import Testing

@Suite("Client's connection state", .timeLimit(.minutes(3)))
struct ClientConnectionStateTests {
    private typealias State = ClientConnectionState<String>

    private func name(_ action: State.Action) -> String {
        switch action {
        case .hello: "hello"
        case .message(let call, let isLast): "message \(call)\(isLast ? " last" : "")"
        case .status(let call): "status \(call)"
        case .credit(let call): "credit \(call)"
        case .pong: "pong"
        case .alive: "alive"
        case .goAway: "goaway"
        case .ignore: "ignore"
        case .fail: "fail"
        }
    }

    /// A state after the hello, with calls "a", "b", … that have the ids 1, 2, ….
    private func open(_ calls: String..., maximumCalls: Int = 10) -> State {
        var state = State(maximumCalls: maximumCalls)
        _ = state.received(FrameHeader(.hello))
        for call in calls { _ = state.open(call) }
        return state
    }

    @Test("takes a hello or a goaway first and nothing else", arguments: FrameKind.allCases)
    func beforeHello(kind: FrameKind) {
        var state = State(maximumCalls: 2)
        let expected = kind == .hello ? "hello" : kind == .goAway ? "goaway" : "fail"
        #expect(name(state.received(FrameHeader(kind))) == expected)
    }

    @Test("starts calls before the server's hello has come")
    func callsBeforeHello() {
        var state = State(maximumCalls: 2)
        #expect(state.open("a") == 1)
        #expect(name(state.received(FrameHeader(.hello))) == "hello")
        #expect(name(state.received(FrameHeader(.message, callID: 1, isEnd: true))) == "message a last")
    }

    @Test("opens at most 32 calls before the server's hello, then as many as that says")
    func fewBeforeHello() {
        var state = State(maximumCalls: 100)
        for id in UInt32(1)...32 { #expect(state.open("a") == id) }
        #expect(state.open("a") == nil)
        #expect(state.isFull == true)
        _ = state.received(FrameHeader(.hello))
        state.limit(calls: 40)
        for id in UInt32(33)...40 { #expect(state.open("a") == id) }
        #expect(state.open("a") == nil)
    }

    @Test("takes no calls after it was retired, and is done when the last has ended, before the hello too")
    func retired() {
        var state = State(maximumCalls: 2)
        _ = state.open("a")
        state.retire()
        #expect([state.acceptsCalls, state.isFull, state.isDone] == [false, false, false])
        #expect(name(state.received(FrameHeader(.hello))) == "hello")
        #expect(state.open("b") == nil)
        #expect(name(state.received(FrameHeader(.message, callID: 1, isEnd: true))) == "message a last")
        #expect(state.isDone == true)
    }

    @Test(
        "knows what each frame means for an open call",
        arguments: [
            (FrameKind.hello, "fail"), (.call, "fail"), (.message, "message a"), (.status, "status a"),
            (.cancel, "ignore"), (.ping, "pong"), (.pong, "alive"), (.goAway, "goaway"), (.credit, "credit a"),
        ])
    func openCall(kind: FrameKind, expected: String) {
        var state = open("a")
        #expect(name(state.received(FrameHeader(kind, callID: 1))) == expected)
    }

    @Test("ends a call with its last message or its status, once")
    func ends() {
        var state = open("a", "b")
        #expect(name(state.received(FrameHeader(.message, callID: 2, isEnd: true))) == "message b last")
        #expect(name(state.received(FrameHeader(.message, callID: 2, isEnd: true))) == "ignore")
        #expect(name(state.received(FrameHeader(.status, callID: 1, isEnd: true))) == "status a")
        #expect(name(state.received(FrameHeader(.status, callID: 1, isEnd: true))) == "ignore")
        #expect(state.openCalls == 0)
    }

    @Test("ignores late frames for a cancelled call", arguments: [FrameKind.message, .status, .credit, .cancel])
    func lateFrames(kind: FrameKind) {
        var state = open("a")
        #expect(state.cancel(1) == "a")
        #expect(state.cancel(1) == nil)
        #expect(name(state.received(FrameHeader(kind, callID: 1, isEnd: true))) == "ignore")
        #expect(name(state.received(FrameHeader(kind, callID: 99))) == "ignore")
    }

    @Test("gives ids that grow and never come again")
    func ids() {
        var state = open("a")
        _ = state.cancel(1)
        #expect(state.open("b") == 2)
        #expect(state.open("c") == 3)
    }

    @Test("takes as many calls as both sides allow, and at least one")
    func limit() {
        var state = open(maximumCalls: 2)
        state.limit(calls: 100)
        #expect(state.open("a") == 1 && state.open("b") == 2)
        #expect(state.acceptsCalls == false)
        #expect(state.isFull == true)
        #expect(state.open("c") == nil)
        var strict = open(maximumCalls: 2)
        strict.limit(calls: 0)
        #expect(strict.open("a") == 1)
        #expect(strict.open("b") == nil)
    }

    @Test("after a goaway gives back what was not started, in order, and waits for the rest")
    func goAway() {
        var state = open("a", "b", "c")
        #expect(name(state.received(FrameHeader(.goAway))) == "goaway")
        #expect(state.goneAway(lastCallID: 1) == ["b", "c"])
        #expect(state.acceptsCalls == false)
        #expect(state.isFull == false)
        #expect(state.open("d") == nil)
        #expect(state.isDone == false)
        #expect(name(state.received(FrameHeader(.message, callID: 2, isEnd: true))) == "ignore")
        #expect(name(state.received(FrameHeader(.message, callID: 1, isEnd: true))) == "message a last")
        #expect(state.isDone == true)
    }

    @Test("is done at once after a goaway without calls")
    func goAwayEmpty() {
        var state = open()
        #expect(state.goneAway(lastCallID: 0).isEmpty)
        #expect(state.isDone == true)
    }

    @Test("gives its open calls when it closes, once, and ignores every frame afterwards")
    func closing() {
        var state = open("a", "b")
        #expect(state.close().sorted() == ["a", "b"])
        #expect(state.close().isEmpty)
        #expect(state.isDone == true)
        #expect(state.acceptsCalls == false)
        for kind in FrameKind.allCases { #expect(name(state.received(FrameHeader(kind, callID: 1))) == "ignore") }
    }
}
