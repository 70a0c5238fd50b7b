import EventLoops
import TLS

/// The connections of one loop to one target, at all its addresses.
///
/// All addresses are connected as soon as calls are made, so that a call waits only when none is connected. Missing
/// connections are dialled again in the background, when calls are made; a pool without calls does nothing.
actor ConnectionPool: LoopActor {
    nonisolated let loop: EventLoop
    nonisolated let target: Endpoint
    let agent: String
    let limits: Limits
    let resolution: Resolution
    let tls: TLSContext?
    let callee: Callee
    private let rules: BalancingRules
    /// Tasks that wait for a connection, or for the end of a pause before a retry.
    nonisolated let waiting: WaitingRoom
    var links: Links
    var random = QuickRandom()
    /// When an address without a connection may be dialled next.
    var nextDial = MonotonicTime.distantFuture
    /// Why the last connection or lookup failed.
    var lastError = ""
    /// Until this time no new addresses are expected although there are none.
    private var lookupRetryTime = MonotonicTime(nanoseconds: 0)
    /// Why no call is made although servers are there: they answer from different data.
    private(set) var division: String?
    private var hasJoined = false
    private(set) var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(
        loop: EventLoop, target: Endpoint, agent: String, limits: Limits, rules: BalancingRules,
        resolution: Resolution, tls: TLSContext?, callee: Callee
    ) {
        self.loop = loop
        self.target = target
        self.agent = agent
        self.limits = limits
        self.resolution = resolution
        self.tls = tls
        self.callee = callee
        self.rules = rules
        waiting = WaitingRoom(loop: loop)
        links = Links(rules)
    }

    /// Closes all connections; open calls fail.
    func close() async {
        isClosed = true
        wake()
        for (_, link) in links.all {
            link.dialling?.cancel()
            await link.dialling?.value
        }
        for (_, link) in links.all { for connection in link.connections { await connection.close() } }
    }

    /// What is known of each address.
    var statistics: [AddressStatistics] { links.statistics(at: loop.now) }

    /// Resumes the tasks that wait for a connection; they check again.
    func wake() {
        waiting.onLoop { [isClosed] waiting in
            if isClosed { waiting.wakeAll() } else { waiting.wake() }
        }
    }
}

// MARK: the addresses

extension ConnectionPool {
    /// Throws when no addresses are expected soon.
    func expectAddresses() throws(AttemptFailure) {
        if loop.now < lookupRetryTime { throw AttemptFailure(.lasting, callee.error(.unavailable, lastError)) }
        askForAddresses()
    }

    /// They arrive later, or the reason why there are none.
    private func askForAddresses() {
        if hasJoined { return resolution.hurry() }
        hasJoined = true
        resolution.join { [weak self] answer in
            guard let self else { return }
            loop.executeLater { self.onLoop { $0.learn(answer) } }
        }
    }

    private func learn(_ answer: Resolution.Answer) {
        switch answer {
        case .success(let addresses): use(addresses)
        case .failure(let error):
            lastError = "\(target) can't be reached: \(error)"
            lookupRetryTime = loop.now + rules.shortestLookupInterval
        }
        wake()
    }

    private func use(_ addresses: [SocketAddress]) {
        guard !isClosed else { return }
        let isFirst = links.isEmpty
        var known: [SocketAddress: Balancer.Slot] = [:]
        for (slot, link) in links.all { known[link.address] = slot }
        for address in addresses {
            if let slot = known.removeValue(forKey: address) {
                set(slot, isLeaving: false)
            } else {
                links.add(address, isWarm: isFirst)
            }
        }
        for slot in known.values { set(slot, isLeaving: true) }
        dialMissing(mayWait: false)
    }

    private func set(_ slot: Balancer.Slot, isLeaving: Bool) {
        guard let link = links[slot], link.isLeaving != isLeaving else { return }
        links.set(slot, isLeaving: isLeaving, at: loop.now)
        if isLeaving { for connection in link.connections { connection.onLoop { $0.retire() } } }
        compareData()
        links.forgetIfGone(slot, at: loop.now)
    }

    /// Compares the data of all servers that have said hello.
    func compareData() {
        division = links.divided.map { one, other in
            "\(one) and \(other), both behind \(target), keep different data; give all replicas the"
                + " same --database and --blobs"
        }
    }
}
