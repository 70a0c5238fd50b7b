// A libFuzzer target, built by script/fuzz with Sources/Net/RPC/Frame and the two state machines, which import nothing.
//
// Each pair of bytes is a frame, or something that the server or the client itself does. What must hold: no sequence
// crashes a machine; neither ever has more calls open than allowed, or opens one twice; a frame for a call reaches the
// call it names, and only while that is open; after a failure or a close nothing happens any more.

private let maximumCalls = 3

/// What is kept with a call: its name, so that mixing them up shows.
private typealias CallName = UInt32

/// A server's side under test, and a plain model of it.
private struct ServerRun: ~Copyable {
    private var state = ServerConnectionState<CallName>(maximumCalls: maximumCalls)
    private var open: Set<CallName> = []
    private var receiving: Set<CallName> = []
    private var started: Set<CallName> = []
    private var isOver = false

    mutating func receive(_ header: FrameHeader) {
        let before = state.lastCallID
        act(state.received(header), header)
        precondition(state.lastCallID >= before, "call ids went back")
        precondition(state.openCalls == open.count && open.count <= maximumCalls, "calls were lost or made up")
    }

    private mutating func act(_ action: ServerConnectionState<CallName>.Action, _ header: FrameHeader) {
        precondition(!isOver || action.isIgnore, "a connection that is over did something")
        switch action {
        case .start(let id):
            precondition(started.insert(id).inserted, "a call was started twice")
            state.opened(id, id, isReceiving: !header.isEnd)
            open.insert(id)
            if !header.isEnd { receiving.insert(id) }
        case .cancel(let call):
            precondition(call == header.callID && open.remove(call) != nil, "another call was cancelled")
            receiving.remove(call)
        case .message(let id, let call, let isLast):
            precondition(id == call && receiving.contains(call), "a request reached another call, or came too late")
            if isLast { receiving.remove(call) }
        case .endOfRequests(let call): precondition(receiving.remove(call) != nil, "requests ended twice")
        case .credit(let call): precondition(call == header.callID && open.contains(call), "credit of another call")
        case .fail: close()
        case .refuse, .hello, .pong, .ignore: break
        }
    }

    mutating func finish(_ id: CallName) {
        precondition((state.finish(id) != nil) == (open.remove(id) != nil), "a call that is over was not, or was")
        receiving.remove(id)
    }

    mutating func drain() { _ = state.drain() }

    mutating func close() {
        precondition(Set(state.close().map(\.call)) == open, "calls were lost at the end")
        (open, receiving, isOver) = ([], [], true)
        precondition(state.isDone)
    }
}

/// A client's side under test, and a plain model of it.
private struct ClientRun: ~Copyable {
    private var state = ClientConnectionState<CallName>(maximumCalls: maximumCalls)
    private var open: Set<CallName> = []
    private var last: CallName = 0
    private var isOver = false

    mutating func call() {
        let mayOpen = state.acceptsCalls
        guard let id = state.open(last + 1) else { return precondition(!mayOpen, "a call was not taken") }
        precondition(mayOpen && !isOver && id == last + 1, "a call was taken that must not be")
        last = id
        open.insert(id)
        precondition(open.count <= maximumCalls)
    }

    mutating func cancel(_ id: CallName) {
        precondition((state.cancel(id) != nil) == (open.remove(id) != nil), "a call that is over was not, or was")
    }

    mutating func receive(_ header: FrameHeader) {
        switch state.received(header) {
        case .message(let call, let isLast):
            precondition(!isOver && call == header.callID && open.contains(call), "an answer reached another call")
            if isLast { open.remove(call) }
        case .status(let call):
            precondition(!isOver && call == header.callID && open.remove(call) != nil, "a status reached another call")
        case .credit(let call): precondition(call == header.callID && open.contains(call), "credit of another call")
        case .goAway: goAway(header.callID)
        case .fail: close()
        case .hello, .pong, .alive: precondition(!isOver, "a connection that is over did something")
        case .ignore: break
        }
        precondition(state.openCalls == open.count, "calls were lost or made up")
    }

    private mutating func goAway(_ lastStarted: UInt32) {
        precondition(!isOver)
        let elsewhere = Set(state.goneAway(lastCallID: lastStarted))
        precondition(elsewhere == open.filter { $0 > lastStarted }, "other calls were sent elsewhere")
        open.subtract(elsewhere)
        precondition(!state.acceptsCalls)
    }

    mutating func close() {
        precondition(Set(state.close()) == open, "calls were lost at the end")
        (open, isOver) = ([], true)
        precondition(state.isDone && !state.acceptsCalls)
    }
}

extension ServerConnectionState.Action {
    fileprivate var isIgnore: Bool {
        if case .ignore = self { true } else { false }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzConnection(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: start, count: count)
    var server = ServerRun()
    var client = ClientRun()
    for index in stride(from: 0, to: input.count - 1, by: 2) {
        let (what, id) = unsafe (input[index], UInt32(input[index + 1] & 0x0f))
        // The hello of an ordinary peer belongs to no call.
        if let kind = FrameKind(rawValue: what & 0x0f) {
            let callID = kind == .hello && what & 0x20 == 0 ? 0 : id
            let header = FrameHeader(kind, callID: callID, isEnd: what & 0x10 != 0)
            if what & 0x80 == 0 { server.receive(header) } else { client.receive(header) }
            continue
        }
        switch what & 0x0f {
        case 10: server.finish(id)
        case 11: client.call()
        case 12: client.cancel(id)
        case 13 where what & 0x70 == 0x70: server.drain()
        case 14 where what & 0x70 == 0x70: server.close()
        case 15 where what & 0x70 == 0x70: client.close()
        default: break
        }
    }
    return 0
}
