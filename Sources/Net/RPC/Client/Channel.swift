import EventLoops
import TLS

/// The connections of one loop to one target, and the choice among its addresses.
///
/// All addresses are connected as soon as calls are made, so that a call waits only when none is connected. Missing
/// connections are dialled again in the background, when calls are made; a channel without calls does nothing.
actor Channel: LoopActor {
    nonisolated let loop: EventLoop
    nonisolated let target: Endpoint
    let agent: String
    let limits: Limits
    let resolution: Resolution
    let tls: TLSContext?
    let callee: Callee
    var balancer: Balancer
    /// Indexed by the balancer's slots.
    private(set) var slots: [Link?] = []
    var budget = RetryBudget()
    /// How long methods usually take, of those whose calls are hedged; by their paths.
    var usual: [String: UsualLatency] = [:]
    var random = QuickRandom()
    var waiting = WaitingList()
    /// When an address without a connection may be dialled next.
    var nextDial = MonotonicTime.distantFuture
    /// Why the last connection or lookup failed.
    var lastError = ""
    /// Until this time no new addresses are expected although there are none.
    var lookupRetryTime = MonotonicTime(nanoseconds: 0)
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
        balancer = Balancer(rules)
    }

    /// Closes all connections; open calls fail.
    func close() async {
        isClosed = true
        wake()
        for (_, link) in links {
            link.dialling?.cancel()
            await link.dialling?.value
        }
        for (_, link) in links { for connection in link.connections { await connection.close() } }
    }

    /// What is known of each address.
    var statistics: [AddressStatistics] {
        countStreams()
        return links.compactMap { slot, link in
            guard var statistics = balancer.statistics(slot, at: loop.now) else { return nil }
            statistics.connections = link.connections.count
            return statistics
        }
    }
}

// MARK: the addresses

extension Channel {
    /// The addresses, including those that are leaving.
    var links: [(slot: Balancer.Slot, link: Link)] {
        slots.indices.compactMap { slot in slots[slot].map { (slot, $0) } }
    }

    func link(_ slot: Balancer.Slot) -> Link? { slots.indices.contains(slot) ? slots[slot] : nil }

    /// Compares the data of all servers that have said hello. Calls that went to one or the other would find and lose
    /// what they wrote, as if by chance.
    func compareData() {
        let said = links.map(\.link).filter { !$0.isLeaving && !$0.data.isEmpty }
        let other = said.first { $0.data != said[0].data }
        division = other.map { other in
            "\(said[0].address) and \(other.address), both behind \(target), keep different data; give all replicas the"
                + " same --database and --blobs"
        }
    }

    /// Gives the balancer the number of streams open at each address.
    func countStreams() {
        for (slot, link) in links { balancer.count(open: link.openCalls, at: slot) }
    }

    /// Requests addresses when there are none; they arrive later, or the reason why there are none.
    func askForAddresses() {
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
            lookupRetryTime = loop.now + balancer.rules.shortestLookupInterval
        }
        wake()
    }

    private func use(_ addresses: [SocketAddress]) {
        guard !isClosed else { return }
        let isFirst = links.isEmpty
        var known: [SocketAddress: Balancer.Slot] = [:]
        for (slot, link) in links { known[link.address] = slot }
        for address in addresses {
            if let slot = known.removeValue(forKey: address) {
                set(slot, isLeaving: false)
            } else {
                add(address, isWarm: isFirst)
            }
        }
        for slot in known.values { set(slot, isLeaving: true) }
        dialMissing(mayWait: false)
    }

    private func add(_ address: SocketAddress, isWarm: Bool) {
        let slot = balancer.add(address, isWarm: isWarm)
        while slots.count <= slot { slots.append(nil) }
        slots[slot] = Link(address)
    }

    private func set(_ slot: Balancer.Slot, isLeaving: Bool) {
        guard let link = link(slot), link.isLeaving != isLeaving else { return }
        link.isLeaving = isLeaving
        balancer.set(slot, isLeaving: isLeaving, at: loop.now)
        if isLeaving { for connection in link.connections { connection.onLoop { $0.retire() } } }
        compareData()
        forgetIfGone(slot)
    }

    /// Drops an address that is leaving once none of its connections is left.
    func forgetIfGone(_ slot: Balancer.Slot) {
        guard let link = link(slot), link.isLeaving, link.isEmpty, link.dialling == nil else { return }
        guard balancer.outstanding(slot) == 0 else { return }
        slots[slot] = nil
        balancer.remove(slot, at: loop.now)
    }
}
