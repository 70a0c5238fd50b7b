/// The state of the server's side of a connection, and what each frame means in it. It decides; it does no I/O.
///
/// `Call` is what the connection keeps with each open call.
package struct ServerConnectionState<Call>: ~Copyable {
    /// What to do with a frame.
    package enum Action {
        /// The peer introduced itself: decode its Hello.
        case hello
        /// A new call: decode it, start its handler, then call `opened`.
        case start(UInt32)
        /// More calls are open than the limit allows: refuse this one.
        case refuse(UInt32)
        /// The caller has gone: cancel the handler.
        case cancel(Call)
        /// The reader of this call has more room.
        case credit(Call)
        /// The next request of a stream; the last one when `isLast`.
        case message(UInt32, Call, isLast: Bool)
        /// No request follows.
        case endOfRequests(Call)
        /// Answer with a pong.
        case pong
        case ignore
        /// The peer broke the protocol: report why and close.
        case fail(String)
    }

    private enum Phase { case awaitingHello, open, draining, closed }

    private var phase = Phase.awaitingHello
    private struct Entry {
        let call: Call
        /// More requests may come.
        var isReceiving: Bool
    }

    private var calls: [UInt32: Entry] = [:]
    /// The largest call id seen.
    package private(set) var lastCallID: UInt32 = 0
    private let maximumCalls: Int

    package init(maximumCalls: Int) { self.maximumCalls = maximumCalls }

    package var openCalls: Int { calls.count }

    /// Whether it was drained and has no work left.
    package var isDone: Bool { phase == .closed || (phase == .draining && calls.isEmpty) }

    package mutating func received(_ header: FrameHeader) -> Action {
        switch phase {
        case .closed: return .ignore
        case .awaitingHello: return header.kind == .hello ? hello(header) : .fail("the first frame must be a hello")
        case .open, .draining: return receivedOpen(header)
        }
    }

    /// Stores what is kept for a call that was started. `isReceiving`: its CALL had no END.
    package mutating func opened(_ id: UInt32, _ call: Call, isReceiving: Bool = false) {
        calls[id] = Entry(call: call, isReceiving: isReceiving)
    }

    /// Returns what is kept with an open call.
    package func call(_ id: UInt32) -> Call? { calls[id]?.call }

    /// The open calls of which this is true.
    package func calls(where isWanted: (Call) -> Bool) -> [UInt32] {
        calls.filter { isWanted($0.value.call) }.map(\.key)
    }

    /// The call is over; returns what was kept with it, or nil when it was over before.
    package mutating func finish(_ id: UInt32) -> Call? {
        guard let entry = calls.removeValue(forKey: id) else { return nil }
        shed()
        return entry.call
    }

    /// A table keeps its memory when its entries have gone: one call that stays open would keep that of a thousand.
    private mutating func shed() {
        guard tableSize > Self.smallTable, calls.count < tableSize / 8 else { return }
        var smaller = [UInt32: Entry](minimumCapacity: calls.count * 2)
        for (id, entry) in calls { smaller[id] = entry }
        calls = smaller
    }

    /// How many calls its table has room for.
    var tableSize: Int { calls.capacity }

    private static var smallTable: Int { 32 }

    /// No new calls from now on. False when it was draining or closed before.
    package mutating func drain() -> Bool {
        guard phase == .open || phase == .awaitingHello else { return false }
        phase = .draining
        return true
    }

    /// The connection is closed; returns the calls that were open.
    package mutating func close() -> [(id: UInt32, call: Call)] {
        phase = .closed
        defer { calls.removeAll() }
        return calls.map { ($0.key, $0.value.call) }
    }

    private mutating func hello(_ header: FrameHeader) -> Action {
        guard header.callID == 0 else { return .fail("a hello belongs to the connection, its call id must be 0") }
        phase = .open
        return .hello
    }

    private mutating func receivedOpen(_ header: FrameHeader) -> Action {
        switch header.kind {
        case .call: return started(header)
        case .message: return request(header)
        case .status: return endOfRequests(header)
        case .cancel: return finish(header.callID).map { .cancel($0) } ?? .ignore
        case .credit: return calls[header.callID].map { .credit($0.call) } ?? .ignore
        case .ping: return .pong
        case .pong, .goAway: return .ignore
        case .hello: return .fail("a second hello")
        }
    }

    private mutating func request(_ header: FrameHeader) -> Action {
        guard let entry = calls[header.callID] else { return late(header) }
        guard entry.isReceiving else { return .fail("a message behind the last request of call \(header.callID)") }
        if header.isEnd { calls[header.callID]?.isReceiving = false }
        return .message(header.callID, entry.call, isLast: header.isEnd)
    }

    private mutating func endOfRequests(_ header: FrameHeader) -> Action {
        guard let entry = calls[header.callID] else { return late(header) }
        guard entry.isReceiving else { return .fail("a second end of the requests of call \(header.callID)") }
        calls[header.callID]?.isReceiving = false
        return .endOfRequests(entry.call)
    }

    /// A frame of a stream whose call is over, or never existed.
    private func late(_ header: FrameHeader) -> Action {
        header.callID <= lastCallID || phase == .draining
            ? .ignore : .fail("a \(header.kind) of call \(header.callID), which was not opened")
    }

    private mutating func started(_ header: FrameHeader) -> Action {
        guard header.callID > lastCallID else {
            return .fail("call id \(header.callID) does not come after \(lastCallID)")
        }
        // A call that crossed our goaway is not answered: the goaway has already sent its caller elsewhere.
        if phase == .draining { return .ignore }
        lastCallID = header.callID
        return calls.count < maximumCalls ? .start(header.callID) : .refuse(header.callID)
    }
}
