import EventLoops

/// Where a call was sent, and when.
struct Place: Sendable {
    let slot: Balancer.Slot
    let connection: ClientConnection
    let start: MonotonicTime
}

/// The addresses of a target, each with the connections of one loop to it, and the choice among them. It is given the
/// time, and dials nothing.
struct Links {
    private var balancer: Balancer
    /// Indexed by the balancer's slots.
    private var slots: [Link?] = []

    init(_ rules: BalancingRules) { balancer = Balancer(rules) }

    /// All of them, including those that are leaving.
    var all: [(slot: Balancer.Slot, link: Link)] {
        slots.indices.compactMap { slot in slots[slot].map { (slot, $0) } }
    }

    var isEmpty: Bool { slots.allSatisfy { $0 == nil } }

    /// Whether there are two addresses.
    var hasSeveral: Bool { slots.count > 1 && all.count > 1 }

    subscript(_ slot: Balancer.Slot) -> Link? { slots.indices.contains(slot) ? slots[slot] : nil }

    /// What is known of each address.
    mutating func statistics(at now: MonotonicTime) -> [AddressStatistics] {
        countStreams()
        return all.compactMap { slot, link in
            guard var statistics = balancer.statistics(slot, at: now) else { return nil }
            statistics.connections = link.connections.count
            return statistics
        }
    }

    /// Gives the balancer the number of streams open at each address.
    private mutating func countStreams() {
        for (slot, link) in all { balancer.count(open: link.openCalls, at: slot) }
    }
}

// MARK: which addresses there are

extension Links {
    mutating func add(_ address: SocketAddress, isWarm: Bool) {
        let slot = balancer.add(address, isWarm: isWarm)
        while slots.count <= slot { slots.append(nil) }
        slots[slot] = Link(address)
    }

    /// Sets whether the name has lost this address.
    mutating func set(_ slot: Balancer.Slot, isLeaving: Bool, at now: MonotonicTime) {
        self[slot]?.isLeaving = isLeaving
        balancer.set(slot, isLeaving: isLeaving, at: now)
    }

    /// The connections of an address have changed.
    mutating func changed(_ slot: Balancer.Slot, at now: MonotonicTime) {
        guard let link = self[slot] else { return }
        balancer.set(slot, link.state, at: now)
    }

    /// A connection to an address failed: it is dialled again after a while.
    mutating func failed(_ slot: Balancer.Slot, at now: MonotonicTime, using random: inout QuickRandom) {
        self[slot]?.failed(at: now, using: &random)
        balancer.failed(slot, at: now)
    }

    /// Drops an address that is leaving once none of its connections is left.
    mutating func forgetIfGone(_ slot: Balancer.Slot, at now: MonotonicTime) {
        guard let link = self[slot], link.isLeaving, link.isEmpty, link.dialling == nil else { return }
        guard balancer.outstanding(slot) == 0 else { return }
        slots[slot] = nil
        balancer.remove(slot, at: now)
    }

    /// When an ejected address may be readmitted; nil when it is not ejected.
    func ejectionEnd(_ slot: Balancer.Slot) -> MonotonicTime? { balancer.ejectionEnd(slot) }

    /// Two addresses whose servers have said hello and answer from different data. Calls that went to one or the other
    /// would find and lose what they wrote, as if by chance.
    var divided: (SocketAddress, SocketAddress)? {
        let said = all.map(\.link).filter { !$0.isLeaving && !$0.data.isEmpty }
        return said.first { $0.data != said[0].data }.map { (said[0].address, $0.address) }
    }
}

// MARK: calls

extension Links {
    /// Chooses a connection that takes a call now, at an address not yet tried if there is one, and counts the call at
    /// once, so that the next choice sees it.
    mutating func choose(
        _ tried: [Balancer.Slot], isRetry: Bool, isStream: Bool, at now: MonotonicTime
    ) -> Place? {
        if isStream { countStreams() }
        guard let place = find(tried, isStream: isStream, at: now) else { return nil }
        if isStream { balancer.opened(place.slot) } else { balancer.started(place.slot, isRetry: isRetry) }
        return place
    }

    private mutating func find(_ tried: [Balancer.Slot], isStream: Bool, at now: MonotonicTime) -> Place? {
        guard let slot = balancer.choose(at: now, tried: tried, isStream: isStream), let link = slots[slot]
        else { return nil }
        if let connection = isStream ? link.freeForStream : link.ready {
            return Place(slot: slot, connection: connection, start: now)
        }
        return findOther(than: slot, tried, isStream: isStream, at: now)
    }

    /// When all connections to the chosen address are full, or the server is leaving.
    private mutating func findOther(
        than chosen: Balancer.Slot, _ tried: [Balancer.Slot], isStream: Bool, at now: MonotonicTime
    ) -> Place? {
        var slot = chosen
        var tried = tried
        for _ in 0..<slots.count {
            guard let link = slots[slot] else { return nil }
            if let connection = isStream ? link.freeForStream : link.free {
                return Place(slot: slot, connection: connection, start: now)
            }
            balancer.set(slot, link.state, at: now)
            tried.append(slot)
            guard let next = balancer.choose(at: now, tried: tried, isStream: isStream) else { return nil }
            slot = next
        }
        return nil
    }

    mutating func ended(_ place: Place, _ outcome: Balancer.Outcome, at now: MonotonicTime) {
        balancer.ended(place.slot, outcome, since: place.start, at: now)
        if slots[place.slot]?.isLeaving == true { forgetIfGone(place.slot, at: now) }
    }

    /// A stream had its first answer, or ended without one.
    mutating func streamBegan(_ slot: Balancer.Slot, _ outcome: Balancer.Outcome, at now: MonotonicTime) {
        balancer.streamBegan(slot, outcome, at: now)
    }

    /// Whether a call may be sent to an address that is not in `tried`.
    func hasOther(than tried: [Balancer.Slot]) -> Bool { balancer.hasOther(than: tried) }

    /// The addresses in the order of their names, in which a `CallNote` numbers them from 1.
    private var byName: [Balancer.Slot] {
        all.map { (slot: $0.slot, name: $0.link.address.description) }.sorted { $0.name < $1.name }.map(\.slot)
    }

    func write(_ slot: Balancer.Slot, to note: CallNote) {
        let slots = byName
        guard let index = slots.firstIndex(of: slot) else { return }
        note.sent(to: index + 1, of: slots.count)
    }

    /// The address with a number as `CallNote` has it.
    func slot(number: Int) -> Balancer.Slot? {
        let slots = byName
        return slots.indices.contains(number - 1) ? slots[number - 1] : nil
    }
}
