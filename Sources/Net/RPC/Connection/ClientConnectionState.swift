/// The state of the client's side of a connection, and what each frame means in it. It decides; it does no I/O.
///
/// `Call` is what the connection keeps with each open call.
package struct ClientConnectionState<Call>: ~Copyable {
    /// What to do with a frame.
    package enum Action {
        /// The peer introduced itself: decode its Hello.
        case hello
        /// A message of a call; the call is over after the last one.
        case message(Call, isLast: Bool)
        /// The call ended with a status: decode it.
        case status(Call)
        /// The server accepts more of this call's requests.
        case credit(Call)
        /// Answer with a pong.
        case pong
        /// A pong that was asked for.
        case alive
        /// No new calls here: decode the GoAway, then call `goneAway`.
        case goAway
        case ignore
        /// The peer broke the protocol: close.
        case fail(String)
    }

    private enum Phase { case awaitingHello, open, draining, closed }

    private var phase = Phase.awaitingHello
    /// All open calls.
    package private(set) var calls: [UInt32: Call] = [:]
    private var lastCallID: UInt32 = 0
    private let ownMaximum: Int
    private var maximumCalls: Int
    private var isRetired = false

    /// The most calls that may be open before the peer has sent its limit.
    private static var callsBeforeHello: Int { 32 }

    package init(maximumCalls: Int) {
        ownMaximum = maximumCalls
        self.maximumCalls = min(maximumCalls, Self.callsBeforeHello)
    }

    package var openCalls: Int { calls.count }

    /// Whether new calls may start here.
    package var acceptsCalls: Bool {
        isTaking && calls.count < maximumCalls && lastCallID < .max
    }

    /// Whether new streams may start here: they may idle for hours, so an eighth of the calls is reserved for unary
    /// ones.
    package var acceptsStreams: Bool { acceptsCalls && calls.count < maximumCalls - maximumCalls / 8 }

    private var isTaking: Bool { (phase == .open || phase == .awaitingHello) && !isRetired }

    /// Whether it accepts no new calls only because so many are open.
    package var isFull: Bool { isTaking && calls.count >= maximumCalls }

    /// Whether it accepts no new calls and none is open.
    package var isDone: Bool { phase == .closed || ((phase == .draining || isRetired) && calls.isEmpty) }

    /// The peer sent how many calls it accepts at once.
    package mutating func limit(calls: Int) { maximumCalls = min(ownMaximum, max(calls, 1)) }

    /// We start no new calls here; open ones continue.
    package mutating func retire() { isRetired = true }

    /// Opens a call and gives its id; nil when no new call may start here.
    package mutating func open(_ call: Call) -> UInt32? {
        guard acceptsCalls else { return nil }
        lastCallID += 1
        calls[lastCallID] = call
        return lastCallID
    }

    /// The caller is no longer interested; gives the call, or nil when it is over already.
    package mutating func cancel(_ id: UInt32) -> Call? { calls.removeValue(forKey: id) }

    package func call(_ id: UInt32) -> Call? { calls[id] }

    package mutating func received(_ header: FrameHeader) -> Action {
        switch phase {
        case .closed: return .ignore
        case .awaitingHello:
            if header.kind == .goAway { return .goAway }
            guard header.kind == .hello, header.callID == 0 else { return .fail("the first frame must be a hello") }
            phase = .open
            return .hello
        case .open, .draining: return receivedOpen(header)
        }
    }

    /// No new calls; returns those that the peer did not start, which may be sent elsewhere.
    package mutating func goneAway(lastCallID: UInt32) -> [Call] {
        phase = .draining
        let notStarted = calls.keys.filter { $0 > lastCallID }.sorted()
        return notStarted.compactMap { calls.removeValue(forKey: $0) }
    }

    /// The connection is closed; returns the calls that were open.
    package mutating func close() -> [Call] {
        phase = .closed
        defer { calls.removeAll() }
        return Array(calls.values)
    }

    private mutating func receivedOpen(_ header: FrameHeader) -> Action {
        switch header.kind {
        case .message:
            guard header.isEnd else { return calls[header.callID].map { .message($0, isLast: false) } ?? .ignore }
            return calls.removeValue(forKey: header.callID).map { .message($0, isLast: true) } ?? .ignore
        case .status: return calls.removeValue(forKey: header.callID).map { .status($0) } ?? .ignore
        case .ping: return .pong
        case .pong: return .alive
        case .goAway: return .goAway
        case .credit: return calls[header.callID].map { .credit($0) } ?? .ignore
        case .cancel: return .ignore
        case .hello: return .fail("a second hello")
        case .call: return .fail("a call from the serving side")
        }
    }
}
