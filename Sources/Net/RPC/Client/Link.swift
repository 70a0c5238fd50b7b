import EventLoops

/// The connections of one loop to one address: one, and more while more calls are open than one takes. Belongs to the
/// loop's channel.
final class Link {
    private struct Member {
        let connection: ClientConnection
        /// Runs until the server has said hello.
        var helloTimer: TimerToken?
    }

    let address: SocketAddress
    private var members: [Member] = []
    private var proven: ClientConnection?
    /// The task that dials one more connection.
    var dialling: Task<Void, Never>?
    private var backoff = Backoff()
    /// The address is not dialled before this time.
    private(set) var retryTime = MonotonicTime(nanoseconds: 0)
    /// Which data the server there answers from; "" when that is not known.
    private(set) var data = ""
    /// The name does not have this address any more.
    var isLeaving = false

    static let maximumConnections = 16

    init(_ address: SocketAddress) { self.address = address }

    var connections: [ClientConnection] { members.map(\.connection) }
    var isEmpty: Bool { members.isEmpty }
    /// Calls and streams that are open on its connections.
    var openCalls: Int { members.reduce(0) { sum, member in sum + member.connection.onLoop { $0.openCalls } } }
    /// Whether one more connection may be dialled besides those that are full.
    var mayGrow: Bool { members.count < Self.maximumConnections && dialling == nil }
    /// Whether its state will change soon: by a connection, a hello, or a failure.
    var isComing: Bool { dialling != nil || members.contains { $0.helloTimer != nil } }

    /// The connection that took the last call, and most probably takes the next; else another one that takes calls.
    var ready: ClientConnection? {
        if let proven { return proven }
        proven = free
        return proven
    }

    /// The connection did not take a call.
    func refused() { proven = nil }

    /// A connection that takes a call now.
    var free: ClientConnection? {
        for member in members where member.connection.onLoop({ $0.acceptsCalls }) { return member.connection }
        return nil
    }

    /// A connection that takes a stream now.
    var freeForStream: ClientConnection? {
        for member in members where member.connection.onLoop({ $0.acceptsStreams }) { return member.connection }
        return nil
    }

    /// The state of its best connection. One that accepts no new calls because its server is leaving does not count.
    var state: Balancer.LinkState {
        let usable = members.filter { $0.connection.onLoop { $0.acceptsCalls || $0.isFull } }
        if usable.contains(where: { $0.helloTimer == nil }) { return .up }
        return usable.isEmpty ? .down : .greeting
    }

    func add(_ connection: ClientConnection, helloTimer: TimerToken) {
        members.append(Member(connection: connection, helloTimer: helloTimer))
    }

    /// The server has sent hello. Returns the timer that waited for it.
    func greeted(_ connection: ClientConnection) -> TimerToken? {
        backoff.reset()
        data = connection.onLoop { $0.data }
        guard let index = members.firstIndex(where: { $0.connection === connection }) else { return nil }
        return members[index].helloTimer.take()
    }

    /// The connection is closed. Returns the timer that waited for its hello, if that had not come.
    func remove(_ connection: ClientConnection) -> TimerToken? {
        proven = nil
        guard let index = members.firstIndex(where: { $0.connection === connection }) else { return nil }
        defer { if isEmpty { data = "" } }
        return members.remove(at: index).helloTimer
    }

    /// Connecting failed: the next attempt has to wait.
    func failed(at now: MonotonicTime, using random: inout QuickRandom) {
        retryTime = now + backoff.next(using: &random)
    }
}
